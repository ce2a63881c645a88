/** When a board ends: when all its members have shut down, at once when all tasks are done, or when somebody stops its team. */
export const BOARD_ENDS = ['idle', 'all_done', 'stopped'] as const;

export const DEFAULT_IDLE_MS = 60_000;
export const DEFAULT_SHUTDOWN_MS = 5 * 60_000;
/** The replies of one WORK. */
export const DEFAULT_WORK_TURNS = 50;
/** How often a task is tried. */
export const DEFAULT_ATTEMPTS = 3;
