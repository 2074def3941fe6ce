// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench;

import com.sun.management.GarbageCollectionNotificationInfo;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/**
 * How much of the heap was in use right after garbage collections. This is the most that live
 * objects need, while the heap as a whole grows to whatever it is allowed.
 */
final class LiveHeap implements AutoCloseable {

    private final AtomicLong most = new AtomicLong();
    private final Set<String> pools =
            ManagementFactory.getMemoryPoolMXBeans().stream()
                    .filter(pool -> pool.getType() == MemoryType.HEAP)
                    .map(MemoryPoolMXBean::getName)
                    .collect(Collectors.toUnmodifiableSet());
    private final NotificationListener listener = (notification, handback) -> hear(notification);
    private final List<NotificationEmitter> emitters =
            ManagementFactory.getGarbageCollectorMXBeans().stream()
                    .filter(NotificationEmitter.class::isInstance)
                    .map(NotificationEmitter.class::cast)
                    .toList();

    LiveHeap() {
        emitters.forEach(emitter -> emitter.addNotificationListener(listener, null, null));
    }

    private void hear(Notification notification) {
        if (notification.getUserData() instanceof CompositeData data) {
            long used =
                    GarbageCollectionNotificationInfo.from(data)
                            .getGcInfo()
                            .getMemoryUsageAfterGc()
                            .entrySet()
                            .stream()
                            .filter(pool -> pools.contains(pool.getKey()))
                            .map(Map.Entry::getValue)
                            .mapToLong(MemoryUsage::getUsed)
                            .sum();
            most.accumulateAndGet(used, Math::max);
        }
    }

    /** The most since the last call, in MB; 0 if there was no collection. */
    long mostMb() {
        return most.getAndSet(0) >> 20;
    }

    @Override
    public void close() {
        for (NotificationEmitter emitter : emitters) {
            try {
                emitter.removeNotificationListener(listener);
            } catch (ListenerNotFoundException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
