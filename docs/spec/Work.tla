-------------------------------- MODULE Work --------------------------------
(* Who handles what (docs/work.md). A stay lasts as long as an entry of a participant; the next one is another stay. Each one *)
(* may write the record by compare-and-set: that only the leader does, with its lease as the fence, just saves work.          *)
EXTENDS Naturals, Sequences, FiniteSets
CONSTANTS Stays, Keys, MaxRecord, Dropped
VARIABLES records, me  \* all records ever written; each stay
Rule(name) == name \notin Dropped
Last == records[Len(records)]  \* in the store
Row(n, k) == records[me[n].seen][k]  Mine(n, k) == Row(n, k).owner = n
NoEntry == [there |-> FALSE, released |-> [k \in Keys |-> 0]]
(* entry: its entry in the store; seen: the record that it sees; list, at: the entries as it sees them, and the number of *)
(* records then; runs: the keys between begin and end; released: the tokens that it has given back. *)
Init == /\ records = <<[k \in Keys |-> [owner |-> 0, since |-> 0, next |-> 0]]>>
        /\ me = [n \in Stays |-> [member |-> TRUE, entry |-> NoEntry, seen |-> 1, runs |-> {},
                                  list |-> [m \in Stays |-> NoEntry], at |-> 1, released |-> NoEntry.released]]
Set(n, m) == me' = [me EXCEPT ![n] = m] /\ m # me[n] /\ UNCHANGED records
Vanish(n) == Set(n, [me[n] EXCEPT !.member = FALSE, !.entry.there = FALSE])
SeeRecord(n) == me[n].seen < Len(records) /\ Set(n, [me[n] EXCEPT !.seen = @ + 1])
SeeEntries(n) == Set(n, [me[n] EXCEPT !.list = [m \in Stays |-> me[m].entry], !.at = Len(records)])
WriteEntry(n) == me[n].member /\ Set(n, [me[n] EXCEPT !.entry = [there |-> TRUE, released |-> me[n].released]])
Begin(n, k) == /\ Mine(n, k) /\ Row(n, k).next = 0 /\ (Rule("irrevocable") => me[n].released[k] # Row(n, k).since)
               /\ Set(n, [me[n] EXCEPT !.runs = @ \cup {k}])
(* At any time, because a bundle may stop. It is a release if the record still names this stay. *)
End(n, k) == /\ k \in me[n].runs
             /\ Set(n, [me[n] EXCEPT !.runs = @ \ {k}, !.released[k] = IF Mine(n, k) THEN Row(n, k).since ELSE @])
Release(n, k) == /\ Mine(n, k) /\ Row(n, k).next # 0 /\ (Rule("end first") => k \notin me[n].runs)
                 /\ Set(n, [me[n] EXCEPT !.released[k] = Row(n, k).since])
Free(n, k) == LET row == Last[k] IN row.owner = 0 \/ ~me[n].list[row.owner].there \/ ~Rule("hand over")
                                                   \/ me[n].list[row.owner].released[k] = row.since
WriteRecord(n, k, to) ==
    LET row == IF Free(n, k) THEN [owner |-> to, since |-> Len(records), next |-> 0] ELSE [Last[k] EXCEPT !.next = to]
    IN /\ me[n].member /\ me[n].seen = Len(records)
       /\ (Rule("newer entries") => me[n].at = Len(records)) /\ Len(records) < MaxRecord /\ row # Last[k]
       /\ IF to = 0 THEN ~Free(n, k) ELSE to # Last[k].owner /\ me[n].list[to].there
       /\ records' = Append(records, [Last EXCEPT ![k] = row]) /\ UNCHANGED me
Next == \E n \in Stays : \/ Vanish(n) \/ SeeRecord(n) \/ SeeEntries(n) \/ WriteEntry(n)
    \/ \E k \in Keys : Begin(n, k) \/ End(n, k) \/ Release(n, k) \/ \E to \in Stays \cup {0} : WriteRecord(n, k, to)
Spec == Init /\ [][Next]_<<records, me>>
L25_OneWorker == \A k \in Keys : Cardinality({n \in Stays : me[n].member /\ k \in me[n].runs}) <= 1
L26_Token == \A i, j \in DOMAIN records, k \in Keys :
    i < j /\ records[i][k].owner # records[j][k].owner => records[i][k].since < records[j][k].since
=============================================================================
