----------------------------- MODULE Discovery -----------------------------
(* The settling protocol (docs/protocol.md) and its laws (docs/guarantees.md). README.md has its three abstractions, and what is not modelled. *)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS Instances,     \* 1..N; a restarted process is another instance
          Founders,      \* instances 1..Founders begin settled on view 1; 0 is an empty store
          Twins,         \* the instances that have one id; every other one has an id of its own
          MaxNode,       \* how many member nodes are ever created: bounds the incarnations
          MaxView,       \* bounds the publications
          MaxRenewal,    \* bounds the renewals
          Faults,        \* how many disturbances there may be,
          Kinds,         \*   and of which kinds: see Fault
          Dropped        \* names of rules that are left out, to see which law breaks: see Rule

VARIABLES hist,          \* states of the store: hist[1] is the oldest that an instance is at, the last one the truth
          me,            \* the local state of each instance
          owner,         \* owner[node]: the instance that created it; nodes are numbered by creation = seniority
          expired,       \* the leases of all renewals up to this number are over
          faults,        \* disturbances left
          judged         \* ghost: [refuted, convicted], sets of suspicions <<accused node, accuser's node>>
vars == <<hist, me, owner, expired, faults, judged>>
Rule(name) == name \notin Dropped
Fault(kind) == kind \in Kinds /\ faults > 0 /\ faults' = faults - 1
Nodes == 1..MaxNode
Min(S) == CHOOSE x \in S : \A y \in S : x <= y
Max(S) == CHOOSE x \in S : \A y \in S : x >= y
(* before and token are there for the laws only. The order of the members is the order of their numbers. *)
NoView == [num |-> 0, members |-> {}, excluded |-> {}, before |-> {}, token |-> 0]
Leader(view) == IF view.members = {} THEN 0 ELSE Min(view.members)
NoPub == [view |-> NoView, renewals |-> 0, by |-> 0]
Store == hist[Len(hist)]
Seen(i) == hist[me[i].pos]
Own(i, s) == me[i].node \in s.live

(* What a state of the store says (Candidates, Admission, StoreSnapshot).                           *)
Id(n) == me[owner[n]].id
Survivors(s) == s.view.members \cap s.live

(* A record may be unreadable: for all, or for some. A member stays a member, a newcomer waits until others admit it. *)
Hidden(i, s) == {n \in s.live : <<i, n>> \in s.hidden}
Blind(i, s) == Hidden(i, s) \cap s.view.members # {}

(* Excluded nodes never return, nor does a newcomer that is senior to a survivor: it would be put before it. *)
Outdated(s, n) == \/ n \in s.view.excluded
                  \/ n \notin s.view.members /\ \E m \in Survivors(s) : n < m
(* Of two nodes with one instance id the senior one is the holder; the other is refused. *)
Candidates(i, s) ==
    LET eligible == {n \in s.live : /\ Rule("outdated") => ~Outdated(s, n)
                                    /\ n \notin Hidden(i, s) \/ n \in s.view.members}
        refused == {n \in eligible : \E m \in eligible : m < n /\ Id(m) = Id(n)}
    IN eligible \ (IF Rule("holder") THEN refused ELSE {})

(* "The view stands." Acknowledgements are seen only by those that collect them, so they are not part of it. *)
Agreed(i, s) == s.view.num > 0 /\ Candidates(i, s) = s.view.members /\ s.invalid = {}
Acknowledged(s) == s.acks # {}
(* A node vanishes with all that is ephemeral with it. *)
Without(s, n) == [s EXCEPT !.live = @ \ {n}, !.acks = @ \ {n}, !.invalid = @ \ {n},
                           !.suspects = {p \in @ : p[1] # n /\ p[2] # n}, !.hidden = {p \in @ : p[2] # n}]
(* ... with a leave record after which no instance waits for its lease; it is written only about members. *)
CleanlyWithout(s, n) == [Without(s, n) EXCEPT !.clean = IF n \in s.view.members THEN @ \cup {n} ELSE @]

(* What an instance may act on.                                                                     *)
Settled(i) == me[i].up /\ me[i].phase = "settled"
Leads(i) == Leader(me[i].held) = me[i].node
(* The last own renewal of which it has the reply, also as an earlier leader: who waits for a later lease waits for it, too. *)
Renewed(i) == Seen(i).lease.last[i]
IsCurrent(i) == Settled(i) /\ (Leads(i) => Renewed(i) > expired)
(* Its listeners work for the view that they hold. *)
Acting(i) == Settled(i) \/ me[i].busy

Invalid(i, s) == \/ ~Own(i, s) \/ s.view.num # me[i].held.num \/ ~Agreed(i, s) \/ Blind(i, s)
                 \/ ((Leads(i) /\ Rule("visible acknowledgement")) \/ Hidden(i, s) # {}) /\ Acknowledged(s)
Renewal(lease, node) == [num |-> lease.num + 1, by |-> node, last |-> [lease.last EXCEPT ![owner[node]] = lease.num + 1]]
Changing(m) == [m EXCEPT !.phase = "changing", !.busy = TRUE, !.acked = 0]

(* The new history and local states, without states that no instance needs: one without a node has seen all, *)
(* and a publication that cannot succeed any more has failed.                                        *)
Put(h, m) ==
    LET last == Len(h)
        needs(i) == m[i].up /\ \E p \in m[i].pos..last : m[i].node \in h[p].live
        low == Min({last} \cup {m[i].pos : i \in {j \in Instances : needs(j)}})
        hopeless(i) == m[i].pub.view.num > 0 /\ \/ Rule("view check") /\ m[i].pub.view.num # h[last].view.num + 1
                                                \/ Rule("node check") /\ m[i].pub.by \notin h[last].live
    IN /\ hist' = SubSeq(h, low, last)
       /\ me' = [i \in Instances |-> [m[i] EXCEPT !.pos = (IF needs(i) THEN @ ELSE last) - low + 1,
                                                  !.pub = IF hopeless(i) THEN NoPub ELSE @]]
Write(s, m) == Put(Append(hist, s), m)
Local(m) == Put(hist, m)

InitWith(ids) ==
    LET f == 1..Founders
        view == IF Founders = 0 THEN NoView ELSE [NoView EXCEPT !.num = 1, !.members = f, !.token = 1]
        renewals == IF Founders = 0 THEN 0 ELSE 1
    IN /\ hist = <<[live |-> f, acks |-> {}, invalid |-> {}, view |-> view, suspects |-> {}, clean |-> {}, hidden |-> {},
                lease |-> [num |-> renewals, by |-> renewals, last |-> [i \in Instances |-> IF i = 1 THEN renewals ELSE 0]]]>>
       /\ owner = [k \in f |-> k]
       /\ me = [i \in Instances |->
                 [up |-> TRUE, id |-> ids[i], node |-> IF i \in f THEN i ELSE 0,
                  pos |-> 1, busy |-> FALSE, leaving |-> FALSE,
                  phase |-> IF i \in f THEN "settled" ELSE "changing",
                  held |-> IF i \in f THEN view ELSE NoView, acked |-> 0, pub |-> NoPub]]
       /\ expired = 0 /\ faults = Faults /\ judged = [refuted |-> {}, convicted |-> {}]
Init == InitWith([i \in Instances |-> IF i \in Twins THEN 0 ELSE i])

(* Watch events, any number of them together. A view that is no longer valid is invalidated in the same decision. *)
ObserveUpTo(i, p) ==
    /\ me[i].up /\ p \in me[i].pos + 1..Len(hist)
    /\ LET s == hist[p]
           now == [me[i] EXCEPT !.pos = p,
                                !.acked = IF @ = s.view.num /\ Own(i, s) THEN @ ELSE 0,
                                !.leaving = @ /\ Own(i, s)]
       IN Local([me EXCEPT ![i] = IF Settled(i) /\ Invalid(i, s) THEN Changing(now) ELSE now])
    /\ UNCHANGED <<owner, expired, faults, judged>>
Observe(i) == \E p \in me[i].pos + 1..Len(hist) : ObserveUpTo(i, p)

(* The lease is over, or acknowledgements have become visible. *)
Notice(i) ==
    /\ Settled(i) /\ Leads(i) /\ (~IsCurrent(i) \/ Invalid(i, Seen(i)))
    /\ Local([me EXCEPT ![i] = Changing(@)])
    /\ UNCHANGED <<owner, expired, faults, judged>>

(* No reply for 2/3 T, or strict and disconnected. *)
LoseLease(i) ==
    /\ Settled(i) /\ Fault("lease") /\ Local([me EXCEPT ![i] = Changing(@)])
    /\ UNCHANGED <<owner, expired, judged>>

(* Listeners return from CHANGING; hung ones never do, so nothing makes them. *)
Return(i) ==
    /\ me[i].up /\ me[i].busy /\ Local([me EXCEPT ![i].busy = FALSE])
    /\ UNCHANGED <<owner, expired, faults, judged>>

(* An instance that takes part in a change. While a view stands that it has acknowledged, it only invalidates that view. *)
Replaces(i, s) == /\ me[i].up /\ me[i].phase = "changing" /\ Own(i, s) /\ ~me[i].leaving
                  /\ me[i].node \in Candidates(i, s) \ Hidden(i, s)
                  /\ ~Agreed(i, s) \/ (Acknowledged(s) /\ me[i].acked # s.view.num)

(* An acknowledgement is sent and, later or never, takes effect: it cannot be taken back. *)
Acknowledge(i) ==
    LET s == Seen(i) IN
    /\ Replaces(i, s) /\ me[i].node \in s.view.members /\ me[i].acked # s.view.num
    /\ Rule("listeners first") => ~me[i].busy
    /\ Local([me EXCEPT ![i].acked = s.view.num])
    /\ UNCHANGED <<owner, expired, faults, judged>>
AcknowledgementArrives(i) ==
    /\ me[i].acked = Store.view.num /\ Own(i, Store) /\ me[i].acked > 0 /\ me[i].node \notin Store.acks
    /\ Write([Store EXCEPT !.acks = @ \cup {me[i].node}], me)
    /\ UNCHANGED <<owner, expired, faults, judged>>

(* The view stands, but this instance has acknowledged it, and invalidates it for all (voidUpTo). *)
(* It may also do so with slow listeners, while it steps down. *)
Invalidate(i) ==
    LET s == Seen(i) IN
    /\ me[i].up /\ me[i].phase = "changing" /\ Own(i, s) /\ Own(i, Store)
    /\ Store.view.num = s.view.num /\ me[i].node \notin Store.invalid /\ Rule("voidUpTo")
    /\ IF Agreed(i, s) /\ me[i].acked = s.view.num /\ ~me[i].leaving THEN UNCHANGED faults ELSE Fault("invalidate")
    /\ Write([Store EXCEPT !.invalid = @ \cup {me[i].node}], me)
    /\ UNCHANGED <<owner, expired, judged>>

(* INIT or CHANGED. A leader needs a lease of its own first. *)
Settle(i) ==
    LET s == Seen(i) IN
    /\ me[i].up /\ me[i].phase = "changing" /\ Own(i, s) /\ me[i].node \in s.view.members /\ Agreed(i, s)
    /\ ~Blind(i, s) /\ (Hidden(i, s) # {} => ~Acknowledged(s))
    /\ Rule("final acknowledgement") => me[i].acked # s.view.num
    /\ Rule("final leave") => ~me[i].leaving
    /\ Leader(s.view) = me[i].node /\ Rule("renew first") => Renewed(i) > expired
    /\ Local([me EXCEPT ![i] = [@ EXCEPT !.phase = "settled", !.held = s.view, !.busy = FALSE, !.acked = 0]])
    /\ UNCHANGED <<owner, expired, faults, judged>>

(* The leader of the view may still act on it: it has neither acknowledged nor left, and is not this instance. *)
InDoubt(i, s) ==
    LET leader == Leader(s.view) IN
    leader # 0 /\ owner[leader] # i /\ leader \notin s.acks /\ leader \notin s.clean

(* The settle timeout is not shorter than a session timeout, no instance renews while CHANGING, and a silent member sees *)
(* the change within a session timeout, or its lease is over. So at its end no lease of those left out lasts, *)
(* not even that of the publisher itself, which may be one of them.                                  *)
(* Of its own renewals the publisher knows also those that are on their way.                         *)
MayExclude(i, m) == Rule("settle timeout") =>
    /\ ~IsCurrent(owner[m])
    /\ m = Leader(Seen(i).view) => expired >= IF owner[m] = i THEN Store.lease.num ELSE Seen(i).lease.num

(* Any candidate may be the one that publishes: the ranks only save work. *)
Publish(i) ==
    LET s == Seen(i)
        missing == (Survivors(s) \ Hidden(i, s)) \ s.acks
        members == (Candidates(i, s) \ Hidden(i, s)) \ missing
        leader == Min(members)
        num == s.view.num + 1
    IN /\ Replaces(i, s) /\ me[i].pub = NoPub /\ num <= MaxView /\ members # {} /\ (Rule("blind") => ~Blind(i, s))
       /\ IF missing = {} \/ ~Rule("acknowledgements")
          THEN UNCHANGED faults
          ELSE Fault("exclude") /\ \A m \in missing : MayExclude(i, m)
       /\ InDoubt(i, s) /\ Rule("lease wait") => expired >= s.lease.num
       /\ LET all == IF Rule("acknowledgements") THEN members ELSE Candidates(i, s) IN
          Local([me EXCEPT ![i].pub =
              [view |-> [num |-> num, members |-> all, before |-> s.view.members,
                         excluded |-> ((s.view.excluded \cap s.live) \cup missing \cup (Hidden(i, s) \ s.view.members)) \ all,
                         token |-> IF Min(all) = Leader(s.view) \/ ~Rule("token") THEN s.view.token ELSE num],
               renewals |-> IF InDoubt(i, s) THEN s.lease.num ELSE 0, by |-> me[i].node]])
       /\ UNCHANGED <<owner, expired, judged>>

(* One transaction: own node, version of the view, and the number of renewals if the leader is in doubt. *)
(* By the next leader it is a renewal. What was said about the previous view means nothing for the next. *)
PublicationArrives(i) ==
    LET pub == me[i].pub
        done == [me EXCEPT ![i].pub = NoPub]
        ok == /\ Rule("node check") => pub.by \in Store.live
              /\ Rule("view check") => Store.view.num = pub.view.num - 1
              /\ Rule("lease check") /\ pub.renewals > 0 => Store.lease.num = pub.renewals
    IN /\ pub # NoPub
       /\ IF ok
          THEN Write([Store EXCEPT !.view = pub.view, !.acks = {}, !.invalid = {}, !.clean = @ \cap pub.view.members,
                                   !.lease = IF Leader(pub.view) = pub.by
                                             THEN Renewal(@, pub.by) ELSE @], done)
          ELSE Local(done)
       /\ UNCHANGED <<owner, expired, faults, judged>>

(* A connection is lost, and what was on its way. *)
LosePublication(i) ==
    /\ me[i].pub # NoPub /\ Fault("loss") /\ Local([me EXCEPT ![i].pub = NoPub])
    /\ UNCHANGED <<owner, expired, judged>>

(* One transaction: own node, version of the view. Also one that was sent before the change and arrives late; but a *)
(* renewal that is sent after a publication is executed after it (A4), and so fails if that succeeded. *)
Renew(i) ==
    /\ me[i].up /\ Own(i, Store) /\ Leader(Seen(i).view) = me[i].node /\ Seen(i).view.num = Store.view.num
    /\ Store.lease.num < MaxRenewal /\ (Rule("requests in order") => me[i].pub = NoPub)
    /\ Write([Store EXCEPT !.lease = Renewal(@, me[i].node)], me)
    /\ UNCHANGED <<owner, expired, faults, judged>>

(* Time passes. *)
LeaseEnds ==
    /\ expired < Store.lease.num /\ expired' = expired + 1
    /\ UNCHANGED <<hist, me, owner, faults, judged>>

(* Coming and going. In histories an instance may know from a reply that its node is gone, before it sees that. *)
Gone(i) == \A p \in (IF "late" \in Kinds THEN Len(hist) ELSE me[i].pos)..Len(hist) : me[i].node \notin hist[p].live
Announce(i) ==
    /\ me[i].up /\ me[i].phase = "changing" /\ ~me[i].busy /\ Gone(i) /\ Cardinality(DOMAIN owner) < MaxNode
    /\ LET node == Cardinality(DOMAIN owner) + 1 IN
       /\ owner' = [k \in DOMAIN owner \cup {node} |-> IF k = node THEN i ELSE owner[k]]
       /\ Write([Store EXCEPT !.live = @ \cup {node}],
                [me EXCEPT ![i] = [@ EXCEPT !.node = node, !.acked = 0, !.leaving = FALSE]])
    /\ UNCHANGED <<expired, faults, judged>>

(* An instance whose node can never be a member again removes it. The request may be late: it has seen more since. *)
GiveUp(i) ==
    /\ me[i].up /\ me[i].phase = "changing" /\ Own(i, Seen(i)) /\ Own(i, Store)
    /\ IF Outdated(Seen(i), me[i].node) THEN UNCHANGED faults ELSE me[i].node \notin Seen(i).view.members /\ Fault("late")
    /\ Write(Without(Store, me[i].node), me)
    /\ UNCHANGED <<owner, expired, judged>>

(* The session is over by the clock of the client; its node lives until the servers end the session, or until the next *)
(* incarnation removes it, after the listeners have returned. *)
LoseSession(i) ==
    /\ me[i].up /\ me[i].node # 0 /\ Fault("session")
    /\ Local([me EXCEPT ![i] = [IF Settled(i) THEN Changing(@) ELSE @ EXCEPT !.node = 0, !.acked = 0, !.leaving = FALSE]])
    /\ UNCHANGED <<owner, expired, judged>>
RemoveEarlier(i, n) ==
    /\ me[i].up /\ n \in Store.live /\ owner[n] = i /\ n # me[i].node /\ ~me[i].busy
    /\ Write(CleanlyWithout(Store, n), me)
    /\ UNCHANGED <<owner, expired, faults, judged>>

(* Stop and step down. The request may arrive at any time once it was sent. What this instance suspects lasts as long as *)
(* its session, so a verdict that is on its way arrives. *)
BeginLeave(i) ==
    /\ me[i].up /\ Own(i, Seen(i)) /\ ~me[i].leaving /\ Fault("leave")
    /\ Local([me EXCEPT ![i] = [IF Settled(i) THEN Changing(@) ELSE @ EXCEPT !.leaving = TRUE]])
    /\ UNCHANGED <<owner, expired, judged>>
Leave(i) ==
    /\ me[i].leaving /\ (~me[i].busy \/ ~Rule("final leave")) /\ Own(i, Store)
    /\ Write([CleanlyWithout(Store, me[i].node) EXCEPT !.suspects = {p \in Store.suspects : p[1] # me[i].node}], me)
    /\ UNCHANGED <<owner, expired, faults, judged>>

Kill(i) ==
    /\ me[i].up /\ Fault("kill") /\ Local([me EXCEPT ![i] = [@ EXCEPT !.up = FALSE, !.phase = "changing", !.busy = FALSE, !.held = NoView]])
    /\ UNCHANGED <<owner, expired, judged>>

(* A session ends, at any time; or an operator evicts the member. Neither proves anything. *)
Expire(n) ==
    /\ n \in Store.live
    /\ IF me[owner[n]].up /\ me[owner[n]].node = n THEN Fault("expire") ELSE UNCHANGED faults
    /\ Write(Without(Store, n), me)
    /\ UNCHANGED <<owner, expired, judged>>

(* "Died": the pid is gone, or the next run of the process has its lock. Of a process that lives there is no such proof (A8). *)
ProveEnd(i, m) ==
    /\ me[i].up /\ m \in Seen(i).live \cap Store.live /\ m # me[i].node
    /\ Rule("proof") => ~me[owner[m]].up
    /\ Write(CleanlyWithout(Store, m), me)
    /\ UNCHANGED <<owner, expired, faults, judged>>

(* A hint, right or wrong, at any time. The verdict time is no part of the model: every verdict may come too early, *)
(* so that what holds here depends on no bound on delays.                                           *)
Suspect(i, m) ==
    /\ me[i].up /\ Own(i, Store) /\ (Own(i, Seen(i)) \/ "late" \in Kinds) /\ m \in (Seen(i).live \cap Store.live) \ {me[i].node}
    /\ LET p == <<m, me[i].node>> IN
       /\ p \notin Store.suspects /\ Fault("hint")
       /\ Write([Store EXCEPT !.suspects = @ \cup {p}], me)
       /\ judged' = [judged EXCEPT !.refuted = @ \ {p}]
    /\ UNCHANGED <<owner, expired>>
Refute(i) ==
    /\ me[i].up /\ \E p \in Seen(i).suspects \cap Store.suspects :
         /\ p[1] = me[i].node /\ Write([Store EXCEPT !.suspects = @ \ {p}], me)
         /\ judged' = [judged EXCEPT !.refuted = @ \cup {p}]
    /\ UNCHANGED <<owner, expired, faults>>
(* The hint has ended, or its accuser has gone. *)
Withdraw(i) ==
    /\ me[i].up /\ \E p \in Store.suspects :
         p[2] = me[i].node /\ Fault("withdraw") /\ Write([Store EXCEPT !.suspects = @ \ {p}], me)
    /\ UNCHANGED <<owner, expired, judged>>
Convict(i) ==
    /\ me[i].up /\ \E p \in Seen(i).suspects :
         /\ p[2] = me[i].node /\ p[1] \in Store.live
         /\ Rule("suspicion check") => p \in Store.suspects
         /\ Write(IF Rule("crash is no proof") THEN Without(Store, p[1]) ELSE CleanlyWithout(Store, p[1]), me)
         /\ judged' = [judged EXCEPT !.convicted = @ \cup {p}]
    /\ UNCHANGED <<owner, expired, faults>>

(* A record is spoilt, or its rights are; it is written again, or given back. *)
Spoil(n) == \E of \in {Instances} \cup {{i} : i \in Instances} : Fault("spoil") /\ Write([Store EXCEPT !.hidden = @ \cup of \X {n}], me)
Repair(n) == (\E i \in Instances : <<i, n>> \in Store.hidden) /\ Write([Store EXCEPT !.hidden = {p \in @ : p[2] # n}], me) /\ UNCHANGED faults
ChangeRecord(n) == n \in Store.live /\ (Spoil(n) \/ Repair(n)) /\ UNCHANGED <<owner, expired, judged>>

Step(i) == \/ Observe(i) \/ Notice(i) \/ LoseLease(i) \/ Return(i) \/ Acknowledge(i) \/ AcknowledgementArrives(i)
           \/ Invalidate(i) \/ Settle(i) \/ Publish(i) \/ PublicationArrives(i) \/ LosePublication(i) \/ Renew(i)
           \/ Announce(i) \/ GiveUp(i) \/ LoseSession(i) \/ BeginLeave(i) \/ Leave(i) \/ Kill(i)
           \/ Refute(i) \/ Withdraw(i) \/ Convict(i)
           \/ \E n \in DOMAIN owner : RemoveEarlier(i, n) \/ ProveEnd(i, n) \/ Suspect(i, n)
Next == LeaseEnds \/ (\E i \in Instances : Step(i)) \/ \E n \in DOMAIN owner : Expire(n) \/ ChangeRecord(n)
Spec == Init /\ [][Next]_vars

(* The laws.                                                                                        *)
L2_Order == LET v == Store.view IN \A n \in v.members \ v.before, s \in v.members \cap v.before : s < n
L3_Leader == LET v == Store.view IN
    v.before # {} /\ Min(v.before) \in v.members => Leader(v) = Min(v.before)
L4_Agreement == \A i, j \in Instances : me[i].held.num = me[j].held.num => me[i].held = me[j].held
L5_Settled == \A i, j \in Instances :
    Settled(i) /\ Acting(j) /\ me[j].held.num < me[i].held.num => me[j].node \notin me[i].held.members
L6_OneCurrentLeader == \A i, j \in Instances :
    i # j /\ IsCurrent(i) /\ Leads(i) /\ IsCurrent(j) => ~Leads(j)
L7_Token == \A i, j \in Instances :
    me[i].held.num < me[j].held.num /\ Leader(me[i].held) # Leader(me[j].held)
        => me[i].held.token < me[j].held.token
L8_NoFabricatedView == \A i \in Instances : Settled(i) =>
    /\ me[i].node \in me[i].held.members /\ me[i].held.num <= Store.view.num
    /\ me[i].held.num = Store.view.num => me[i].held = Store.view
L11_Identity == \A m, n \in Store.view.members : Id(m) = Id(n) => m = n
L14_BlindIsNotDead == Store.view.before \cap Store.live \subseteq Store.view.members \cup Store.view.excluded
L17_HintIsNoProof == judged.refuted \cap judged.convicted = {}
=============================================================================
