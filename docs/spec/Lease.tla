-------------------------------- MODULE Lease --------------------------------
(* The wait before the next leader acts, by two clocks that are read in whole milliseconds: Unit parts each (guarantees.md). *)
EXTENDS Naturals
CONSTANTS T,       \* the timeout that the last renewal names, in milliseconds
          Rate,    \* the clock of the successor advances by Rate or not at all while that of the leader advances by 8
          Margin   \* milliseconds that the successor waits longer, because clocks are read in whole ones
VARIABLES leader, successor, start, seen  \* both clocks; their readings before the renewal, and after the reply with its number
vars == <<leader, successor, start, seen>>
Unit == 12  Never == 1000000
Init == leader \in 0..Unit - 1 /\ successor \in 0..Unit - 1 /\ start = leader \div Unit /\ seen = Never
See == seen = Never /\ seen' = successor \div Unit /\ UNCHANGED <<leader, successor, start>>
Tick == leader < Unit * T /\ leader' = leader + 8 /\ successor' \in {successor, successor + Rate} /\ UNCHANGED <<start, seen>>
Spec == Init /\ [][See \/ Tick]_vars
L6_Wait == leader \div Unit < start + (2 * T) \div 3 => successor \div Unit < seen + (3 * T + 3) \div 4 + Margin
=============================================================================
