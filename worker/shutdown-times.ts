/** The time that steps in flight get to end by themselves, if nothing else is set. */
export const SHUTDOWN_GRACE_MS = 10_000;

/** The time after the grace time for work that ignores its signal. */
export const SHUTDOWN_FORCE_MS = 5_000;
