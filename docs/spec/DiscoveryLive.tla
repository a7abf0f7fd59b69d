--------------------------- MODULE DiscoveryLive ---------------------------
(* L10: when the disturbances end, every instance is settled on the established view, and stays so. *)
(* Here all listeners return, and the lease of a live leader ends only by a disturbance.            *)
EXTENDS Discovery
HolderGone == Store.lease.by \notin Store.live
LeaseEndsOfGone == HolderGone /\ LeaseEnds
LeaseEndsOfLive == ~HolderGone /\ expired < Store.lease.num /\ Fault("lease") /\ expired' = expired + 1
                   /\ UNCHANGED <<hist, me, owner, judged>>
(* A renewal that no rule needs would only use up MaxRenewal. *)
RenewIfDue(i) == Renewed(i) <= expired /\ Renew(i)

Progress(i) == \/ Observe(i) \/ Notice(i) \/ Return(i) \/ Acknowledge(i) \/ AcknowledgementArrives(i) \/ Invalidate(i)
               \/ Settle(i) \/ Publish(i) \/ PublicationArrives(i) \/ RenewIfDue(i) \/ Announce(i) \/ GiveUp(i)
               \/ Leave(i) \/ Refute(i) \/ (~me[i].up /\ Expire(me[i].node))
Disturb(i) == \/ LoseLease(i) \/ BeginLeave(i) \/ Kill(i) \/ (me[i].up /\ Expire(me[i].node)) \/ Convict(i)
              \/ \E m \in DOMAIN owner : ProveEnd(i, m) \/ Suspect(i, m)
LiveNext == LeaseEndsOfGone \/ LeaseEndsOfLive \/ \E i \in Instances : Progress(i) \/ Disturb(i)
Fair == /\ WF_vars(LeaseEndsOfGone)
        /\ \A i \in Instances : /\ WF_vars(Observe(i)) /\ WF_vars(Notice(i)) /\ WF_vars(Return(i))
                                /\ WF_vars(Acknowledge(i)) /\ WF_vars(AcknowledgementArrives(i))
                                /\ WF_vars(Invalidate(i)) /\ WF_vars(Settle(i)) /\ WF_vars(Publish(i))
                                /\ WF_vars(PublicationArrives(i)) /\ WF_vars(RenewIfDue(i)) /\ WF_vars(Announce(i))
                                /\ WF_vars(GiveUp(i)) /\ WF_vars(Leave(i)) /\ WF_vars(~me[i].up /\ Expire(me[i].node))
LiveSpec == Init /\ [][LiveNext]_vars /\ Fair
L10_Liveness == <>[](\A i \in Instances : me[i].up => IsCurrent(i) /\ me[i].held = Store.view)
=============================================================================
