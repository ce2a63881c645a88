/** The share of the possible speed-up that should be reached. */
export const SPEED_UP_AIM = 0.9;
export const AIMED_ENGINEERS = [2, 4, 8] as const;

/** How much of the possible speed-up against one engineer was reached: 1 is all of it. */
export function speedUpKept(possible: { one: number; many: number }, measured: { one: number; many: number }): number {
  return measured.one / measured.many / (possible.one / possible.many);
}
