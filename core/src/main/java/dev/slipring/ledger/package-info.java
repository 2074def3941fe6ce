// SPDX-License-Identifier: Apache-2.0
/**
 * The ledger: the rules of the ring, written once, over plain rows in a transaction.
 *
 * <p>An engine whose transactions can be driven from Java supplies {@link dev.slipring.ledger.Rows}
 * and a {@link dev.slipring.ledger.Transactor}; {@link dev.slipring.ledger.LedgerStore} makes a
 * store of them, and {@link dev.slipring.ledger.JoinedLedger} one within a caller's transaction. An
 * engine on which messages go in another way, as in functions of its database, supplies {@link
 * dev.slipring.ledger.RingRows}, and {@link dev.slipring.ledger.RingStore} looks after its rings.
 * Each rule is one class:
 *
 * <pre>
 *   PushRule     room, positions, a producer's number
 *   ClaimRule    what is handed out, and in which order; HandOut for what ran out
 *   SettleRule   done, fail, extend, give back, under the fence
 *   FollowRule   which messages are kept from the stages that follow, and when they reach them
 *   GateRule     what every stage is done with leaves the ring
 *   StageRule    stages that join, pause, rewind and leave
 *   DeadRule     dead letters
 *   SurveyRule   how a ring stands;  Audit  whether it stands right
 * </pre>
 *
 * <p>The state of a stage in a lane is a <em>strand</em>:
 *
 * <pre>
 *      0 ......... gate ....... done ......... claimed ........ head
 *      | released  | held: a    | claims in    | to be claimed  |
 *      |           | slower     | hand, some   | (as far as the |
 *      |           | stage      | of it done   | followed are)  |
 * </pre>
 *
 * <p>Below {@code done} everything is done, set aside or dead. A message set aside or dead stands
 * in a row of its own with its body, and keeps the stages that follow from its position until it is
 * done.
 */
package dev.slipring.ledger;
