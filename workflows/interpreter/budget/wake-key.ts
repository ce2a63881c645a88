/** The key that wakes a holder that waits until others give back their reservations. */
export function budgetWakeKey(key: string): string {
  return `budget:${key}`;
}
