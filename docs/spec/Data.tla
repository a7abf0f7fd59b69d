-------------------------------- MODULE Data --------------------------------
(* An entry of a shared map (docs/data.md): conditional writes, with the fence of a leadership or without. *)
EXTENDS Naturals
CONSTANTS Writers, MaxTx, Dropped
VARIABLES store, me, done  \* done, a ghost: the writes that took effect
Rule(name) == name \notin Dropped
(* entry: the transaction that wrote the entry, 0 if it is removed; version and folder: data versions of its node and folder. *)
Init == /\ store = [tx |-> 1, view |-> 1, entry |-> 1, version |-> 0, folder |-> 0] /\ done = {}
        /\ me = [i \in Writers |->
                  [seen |-> store, shows |-> 1, leads |-> 0, asks |-> "", lease |-> 0, reply |-> 0, said |-> ""]]
(* Data versions begin at 0 in each node, so who removes an entry writes its folder. *)
Accepts(i) == LET seen == me[i].seen IN
    /\ (store.entry = 0) = (seen.entry = 0) /\ (seen.entry # 0 => store.version = seen.version)
    /\ (Rule("folder check") => store.folder = seen.folder) /\ (Rule("fence") => me[i].lease \in {0, store.view})
After(asks) == [store EXCEPT !.tx = @ + 1, !.entry = IF asks = "remove" THEN 0 ELSE store.tx + 1,
                             !.version = IF store.entry = 0 THEN 0 ELSE @ + 1, !.folder = IF asks = "remove" THEN @ + 1 ELSE @]
Set(i, m) == me' = [me EXCEPT ![i] = m] /\ UNCHANGED <<store, done>>
Observe(i) == me[i].asks = "" /\ Set(i, [me[i] EXCEPT !.seen = store, !.shows = store.tx])
Lead(i) == /\ store.tx < MaxTx /\ store' = [store EXCEPT !.tx = @ + 1, !.view = @ + 1]
           /\ me' = [me EXCEPT ![i].leads = store'.view] /\ UNCHANGED done
Ask(i) == \E asks \in {"write", "remove"}, lease \in {0, me[i].leads} :
    /\ me[i].asks = "" /\ (asks = "remove" => me[i].seen.entry # 0)
    /\ Set(i, [me[i] EXCEPT !.asks = asks, !.lease = lease, !.reply = 0, !.said = ""])
Execute(i) == /\ me[i].asks # "" /\ me[i].reply = 0 /\ Accepts(i) /\ store.tx < MaxTx /\ store' = After(me[i].asks)
              /\ me' = [me EXCEPT ![i].reply = store'.tx]
              /\ done' = done \cup {[tx |-> store'.tx, from |-> me[i].seen.entry, replaced |-> store.entry,
                                     lease |-> me[i].lease, view |-> store.view]}
Answer(i, said, shows) == me[i].asks # "" /\ Set(i, [me[i] EXCEPT !.asks = "", !.said = said, !.shows = shows])
Reply(i) == \/ me[i].reply # 0 /\ Answer(i, "done", IF Rule("own writes") THEN me[i].reply ELSE me[i].shows)
            \/ me[i].reply = 0 /\ ~Accepts(i) /\ Answer(i, "refused", me[i].shows)
            \/ Answer(i, IF Rule("said unknown") THEN "unknown" ELSE "refused", me[i].shows)
Spec == Init /\ [][\E i \in Writers : Observe(i) \/ Lead(i) \/ Ask(i) \/ Execute(i) \/ Reply(i)]_<<store, me, done>>
L18_Register == \A d \in done : d.from = d.replaced
L19_OwnWrites == \A i \in Writers : me[i].said = "done" => me[i].shows >= me[i].reply
L20_Fence == \A d \in done : d.lease \in {0, d.view}
L21_Heir == \A i \in Writers, d \in done : d.lease # 0 /\ d.lease < me[i].seen.view => d.tx <= me[i].seen.tx
L23_SaidUnknown == \A i \in Writers : me[i].said = "refused" => me[i].reply = 0
=============================================================================
