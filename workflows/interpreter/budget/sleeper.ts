/** What wakes a place that waits until others give back what they hold of a budget. */
export function budgetSleeper(path: string): string {
  return `budget:${path}`;
}
