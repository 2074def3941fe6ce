-- SPDX-License-Identifier: Apache-2.0
-- What the server's threads have waited for since it was started. Each query has one row a reason:
-- its name, how often, nanoseconds, and those of them in which the wait was over and only a core
-- was missing. The difference of two looks is what an interval cost.

-- Waits. Those of threads that have nothing to do are left out: they wait to be woken by a clock or
-- by work, and their time does not tell where time goes.
SELECT wait_type, waiting_tasks_count, wait_time_ms * 1000000, signal_wait_time_ms * 1000000
FROM sys.dm_os_wait_stats
WHERE waiting_tasks_count > 0
    AND wait_type NOT LIKE N'SLEEP[_]%'
    AND wait_type NOT LIKE N'%[_]SLEEP'
    AND wait_type NOT LIKE N'BROKER[_]%'
    AND wait_type NOT LIKE N'XE[_]%'
    AND wait_type NOT LIKE N'QDS[_]%'
    AND wait_type NOT LIKE N'FT[_]%'
    AND wait_type NOT LIKE N'SQLTRACE[_]%'
    AND wait_type NOT LIKE N'PWAIT[_]%'
    AND wait_type NOT LIKE N'PREEMPTIVE[_]XE[_]%'
    AND wait_type NOT LIKE N'%[_]QUEUE'
    AND wait_type NOT LIKE N'WAIT[_]XTP[_]%'
    AND wait_type NOT IN (
        N'WAITFOR', N'REQUEST_FOR_DEADLOCK_SEARCH', N'DIRTY_PAGE_POLL', N'CHKPT',
        N'DISPATCHER_QUEUE_SEMAPHORE', N'CLR_AUTO_EVENT', N'CLR_MANUAL_EVENT',
        N'SOS_WORK_DISPATCHER', N'SNI_HTTP_ACCEPT', N'SP_SERVER_DIAGNOSTICS_SLEEP',
        N'PVS_PREALLOCATE',
        -- Of the waits of replicas only the idle ones are left out: HADR_SYNC_COMMIT is what a
        -- commit waits for.
        N'HADR_CLUSAPI_CALL', N'HADR_FABRIC_CALLBACK', N'HADR_FILESTREAM_IOMGR_IOCOMPLETION',
        N'HADR_LOGCAPTURE_WAIT', N'HADR_NOTIFICATION_DEQUEUE', N'HADR_TIMER_TASK',
        N'HADR_WORK_QUEUE');
GO

-- Latches other than those of pages, by class: what short-lived exclusion inside the engine costs.
-- METADATA_SEQUENCE_GENERATOR is a SEQUENCE that many draw from at once.
SELECT latch_class, waiting_requests_count, wait_time_ms * 1000000, NULL
FROM sys.dm_os_latch_stats
WHERE waiting_requests_count > 0;
GO

-- Spinlocks: the server keeps no time of them, so this is how often a thread turned round on the
-- spot.
SELECT name, spins, NULL, NULL
FROM sys.dm_os_spinlock_stats
WHERE spins > 0;
