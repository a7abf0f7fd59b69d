--------------------------- MODULE DiscoveryTrace ---------------------------
(* Are recorded histories behaviours of the specification? A test writes Traces, a sequence of <<ids, lines>>: ids has the *)
(* number of the id of each instance, a line is <<event, instance, arguments ...>>. TLC prints <<"line", trace, n>> when   *)
(* the first n - 1 lines of a trace have an explanation. Most lines are explained by exactly one action.                  *)
EXTENDS Discovery, TLC, Traces
VARIABLES trace, line, stamps  \* stamps: the transactions after which the states in hist stand
all == <<vars, trace, line, stamps>>
Lines == Traces[trace][2]
E == Lines[line]
I == E[2]
Last == hist'[Len(hist')]
Stay == UNCHANGED vars
(* Views have their members in the order of seniority, which is that of the numbers. *)
IsOrder(seq, members) == /\ members = {seq[k] : k \in DOMAIN seq} /\ Len(seq) = Cardinality(members)
                         /\ \A k \in 2..Len(seq) : seq[k - 1] < seq[k]

(* The writes; their third element is the transaction. *)
Writes(i) ==
    CASE E[1] = "announced"    -> Announce(i) /\ me'[i].node = E[4]
      [] E[1] = "acknowledged" -> AcknowledgementArrives(i)
      [] E[1] = "invalidated"  -> Invalidate(i)
      [] E[1] = "renewed"      -> Renew(i)
      [] E[1] = "published"    -> PublicationArrives(i) /\ Last.view.num = E[4]
                                  /\ \A j \in E[5] : IsCurrent(j) /\ Leads(j)
      [] E[1] = "left"         -> Leave(i)
      [] E[1] = "gave up"      -> GiveUp(i)
      [] E[1] = "replaced"     -> RemoveEarlier(i, E[4])
      [] E[1] = "died"         -> ProveEnd(i, E[4])
      [] E[1] = "vanished"     -> Expire(E[4])
      [] E[1] = "suspected"    -> Suspect(i, E[4])
      [] E[1] = "refuted"      -> Refute(i) /\ Last.suspects = Store.suspects \ {<<me[i].node, E[4]>>}
      [] E[1] = "withdrawn"    -> Withdraw(i) /\ Last.suspects = Store.suspects \ {<<E[4], me[i].node>>}
      [] E[1] = "convicted"    -> Convict(i) /\ E[4] \notin Last.live
      [] OTHER -> FALSE

(* What an instance decides. *)
Decides(i) ==
    CASE E[1] = "sees"         -> LET p == Max({1} \cup {k \in DOMAIN stamps : stamps[k] <= E[3]})
                                  IN /\ IF p > me[i].pos THEN ObserveUpTo(i, p) ELSE Stay
                                     /\ E[4] => me'[i].phase = "settled"
      [] E[1] = "CHANGING"     -> me[i].held.num = E[3] /\ IF Settled(i) THEN LoseLease(i) ELSE Stay
      [] E[1] = "returned"     -> Return(i)
      [] E[1] = "acknowledges" -> Acknowledge(i) /\ me'[i].acked = E[3]
      [] E[1] = "publishes"    -> /\ Publish(i)
                                  /\ LET pub == me'[i].pub IN
                                     \/ pub = NoPub  \* another one has been faster
                                     \/ /\ IsOrder(E[3], pub.view.members) /\ pub.view.excluded = E[4]
                                        /\ E[5] \/ pub.renewals = 0
                                        /\ pub.view.token = IF E[7] = 0 THEN pub.view.num ELSE E[7]
                                  /\ \A j \in E[6] : IsCurrent(j) /\ Leads(j)
      [] E[1] = "CHANGED"      -> Settle(i) /\ me'[i].held.num = E[3] /\ IsOrder(E[4], me'[i].held.members)
                                  /\ \A j \in E[5] : IsCurrent(j) /\ Leads(j)
      [] E[1] = "leads"        -> IsCurrent(i) /\ Leads(i) /\ Stay
      [] E[1] = "leaves"       -> BeginLeave(i)
      [] E[1] = "loses session" -> LoseSession(i)
      [] E[1] = "killed"       -> Kill(i)
      [] OTHER -> FALSE

(* Before a publication is sent: an earlier one was lost, and the lease is over for which its sender has waited. *)
Over(i) == LET s == Seen(i) leader == Leader(s.view) IN
    IF leader = 0 \/ ~(E[5] \/ leader \in E[4]) THEN 0 ELSE IF owner[leader] = i THEN Store.lease.num ELSE s.lease.num
Silent(i) == E[1] = "publishes" /\
    \/ LosePublication(i)
    \/ me[i].pub = NoPub /\ expired < Over(i) /\ expired' = Over(i) /\ UNCHANGED <<hist, me, owner, faults, judged>>

TraceInit == /\ trace \in 1..Len(Traces) /\ line = 1 /\ stamps = <<0>>
             /\ InitWith([i \in Instances |-> IF i \in DOMAIN Traces[trace][1] THEN Traces[trace][1][i] ELSE 0])
TraceNext == /\ line <= Len(Lines) /\ trace' = trace
             /\ \/ /\ Writes(I) /\ line' = line + 1
                   /\ stamps' = SubSeq(Append(stamps, E[3]), Len(stamps) + 2 - Len(hist'), Len(stamps) + 1)
                \/ /\ (Decides(I) /\ line' = line + 1) \/ (Silent(I) /\ line' = line)
                   /\ stamps' = SubSeq(stamps, Len(stamps) + 1 - Len(hist'), Len(stamps))
TraceSpec == TraceInit /\ [][TraceNext]_all

ASSUME \A t \in 1..Len(Traces) : TLCSet(t, 0)
Deepest == line > TLCGet(trace) => TLCSet(trace, line) /\ PrintT(<<"line", trace, line>>)
=============================================================================
