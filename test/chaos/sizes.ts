import { STORES } from './fleet';

/** `CHAOS_RUNS` says how many runs there are with each store, `CHAOS_STORE` which store alone. */
export const RUNS = Number(process.env['CHAOS_RUNS'] ?? 100);
export const STORES_TO_PROVE = STORES.filter((one) => (process.env['CHAOS_STORE'] ?? one) === one);
export const HOSTS = ['a', 'b', 'c', 'd'];
export const MOST_MS = 3 * 3_600_000;
