// SPDX-License-Identifier: Apache-2.0
/**
 * The adversary. Real processes push to a ring and work on its stages, and write into journals of
 * their own what they tried and what they were told. A seeded plan kills, stops and disturbs them.
 * Then a judge reads all journals and the store, and says which promises were broken.
 *
 * <pre>
 *   plan      what is done to them, and when: the same seed, the same plan
 *   control   starts the processes, carries out the plan, brings the ring to its end
 *   child     what runs in the processes: producers and workers
 *   arena     the store's place: one class for each kind of engine
 *   judge     reads the journals and holds them against the promises
 *   soak      what a long run takes, and whether that stays flat
 * </pre>
 */
package dev.slipring.torture;
