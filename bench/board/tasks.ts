import type { NewMember } from '../../kinds/board/machine/events';
import type { NewTask } from '../../plan/board/task';
import { seeded, seededMs } from '../caid/seeded';

/** Tasks with random dependencies and roles, and members that may do them: the same for the same seed. */
export interface Work {
  tasks: NewTask[];
  members: NewMember[];
  latencyOf(name: string): number;
}

const ROLES = ['coder', 'writer', 'tester'] as const;
const WORK_MS = [8000, 20_000] as const;
/** A task waits for some of so many before it. */
const REACH = 200;
const MOST_BLOCKERS = 3;

export function randomWork(seed: number, { tasks: count, members, roles }: { tasks: number; members: number; roles: boolean }): Work {
  const roleOf = (name: string): string | undefined => (roles ? ROLES[Math.floor(seeded(seed, `role ${name}`) * 4)] : undefined);
  const tasks = Array.from({ length: count }, (_, i): NewTask => {
    const name = `t${i}`;
    const blockers = Math.floor(seeded(seed, `blockers ${name}`) * (MOST_BLOCKERS + 1));
    const earlier = Array.from({ length: blockers }, (_, k) => i - 1 - Math.floor(seeded(seed, `blocker ${name} ${k}`) * REACH));
    const blockedBy = [...new Set(earlier)].filter((at) => at >= 0).map((at) => `t${at}`);
    const requiredRole = roleOf(name);
    return { name, subject: name, blockedBy, ...(requiredRole === undefined ? {} : { requiredRole }) };
  });
  return {
    tasks,
    members: Array.from({ length: members }, (_, i) => ({
      name: `m${i + 1}`,
      agent: 'worker',
      ...(roles ? { role: ROLES[i % ROLES.length] as string } : {}),
    })),
    latencyOf: (name) => seededMs(seed, `work ${name}`, WORK_MS),
  };
}
