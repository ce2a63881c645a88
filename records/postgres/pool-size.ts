/** Places of a worker for each connection: a step speaks to the store for a small part of its time. */
const PLACES_A_CONNECTION = 5;
/** What a worker asks for its runs does not depend on its places. A process opens only as many as it needs at once. */
export const FEWEST_CONNECTIONS = 10;
/** Above that a thousand statements at once are hardly faster (docs/internals/benchmarks.md); each is a process of the server. */
const MOST_CONNECTIONS = 40;

/** How many connections a worker's pool has at most. @param places steps at once */
export function poolSize(places: number): number {
  return Math.min(MOST_CONNECTIONS, Math.max(FEWEST_CONNECTIONS, Math.ceil(places / PLACES_A_CONNECTION)));
}
