import type { Work } from './tasks';

/**
 * When the last task is done by greedy list scheduling with roles: whenever a member is free, it takes the ready task that it may do with
 * the longest remaining path. Without roles that is `bound` of the `caid` step, with nothing to integrate.
 */
export function listSchedule({ tasks, members, latencyOf }: Work): number {
  const remaining = remainingPaths({ tasks, latencyOf });
  const open = [...tasks].sort((a, b) => (remaining.get(b.subject) ?? 0) - (remaining.get(a.subject) ?? 0));
  const doneAt = new Map<string, number>();
  const freeAt = members.map(() => 0);
  for (let nowMs = 0; ; ) {
    for (const [at, { role }] of members.entries()) {
      if ((freeAt[at] ?? 0) > nowMs) continue;
      const next = open.findIndex(
        ({ requiredRole, blockedBy = [] }) =>
          (requiredRole === undefined || requiredRole === role) && blockedBy.every((one) => (doneAt.get(String(one)) ?? Infinity) <= nowMs),
      );
      const [task] = next < 0 ? [] : open.splice(next, 1);
      if (!task) continue;
      freeAt[at] = nowMs + latencyOf(task.subject);
      doneAt.set(task.subject, freeAt[at]);
    }
    const next = Math.min(...freeAt.filter((at) => at > nowMs));
    if (next === Number.POSITIVE_INFINITY) return Math.max(0, ...doneAt.values());
    nowMs = next;
  }
}

/** Tasks wait for earlier ones only. */
function remainingPaths({ tasks, latencyOf }: Pick<Work, 'tasks' | 'latencyOf'>): ReadonlyMap<string, number> {
  const after = new Map<string, number>();
  const paths = new Map<string, number>();
  for (const { subject, blockedBy = [] } of [...tasks].reverse()) {
    const path = latencyOf(subject) + (after.get(subject) ?? 0);
    paths.set(subject, path);
    for (const one of blockedBy) after.set(String(one), Math.max(after.get(String(one)) ?? 0, path));
  }
  return paths;
}
