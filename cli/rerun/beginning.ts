import type { Plan } from '../../plan/plan';
import { lateReader } from './arg-readers';
import { earlierOf, firstReader } from './first-reader';

/** The step that a rerun begins from, and why, if no person has named it. */
export interface Beginning {
  from: string;
  because?: string;
}

/** What differs in the new run: who reads each value, by its name as people read it, and what to say of those that nobody reads. */
export interface Changes {
  readers: Readonly<Record<string, readonly string[]>>;
  notes: readonly string[];
}

/** `failed`: the address of the step at which the run before broke off. Undefined if neither that nor a change says where to begin. */
export function beginningOf(plan: Plan, readers: Changes['readers'], failed: string | undefined): Beginning | undefined {
  const reader = firstReader(plan, new Set(Object.values(readers).flat()));
  if (reader === undefined) return failed === undefined ? undefined : { from: failed };
  const from = failed === undefined ? reader : earlierOf(plan, failed, reader);
  if (from !== reader) return { from };
  const read = Object.keys(readers).filter((value) => firstReader(plan, new Set(readers[value])) === reader);
  return { from, because: `the first step that reads ${read.join(', ')}` };
}

/** What a person should know of values that no step of the main block reads. */
export async function unreadNotes(
  plan: Plan,
  readers: Changes['readers'],
  isAsked: boolean,
  blob: (sha256: string) => Promise<string>,
): Promise<string[]> {
  if (isAsked && Object.keys(readers).length === 0) return ['--set changes nothing: the run before had the same args'];
  const unread = Object.keys(readers).filter((value) => readers[value]?.length === 0);
  return await Promise.all(
    unread.map(async (value) => {
      const late = await lateReader(plan, value.replace(/^arg /, ''), blob);
      if (late === undefined) return `nothing reads ${value}`;
      return late === 'finally'
        ? `only \`finally\` reads ${value}, and that always runs again`
        : `only the result of the run reads ${value}`;
    }),
  );
}
