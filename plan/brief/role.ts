import { defined } from '../defined';
import type { Sha256 } from '../run/artifact';
import { type CostCategory, covers } from './category';

/** A role in the team of a brief: the instructions of its agent, and the most that the agent may do, whatever the brief authorises. */
export interface Role {
  id: string;
  /** One line: the planner reads it to give sub-tasks to roles. */
  description: string;
  /** Instructions that come after the brief. */
  promptOverlay: string;
  /** Categories of tools, and wildcards of them (`category.ts`). */
  toolCategories: readonly string[];
  /** Reads files even if `toolCategories` is without `filesystem_read`. */
  allowReadFile: boolean;
  /** The digest of the file that it was read from. */
  source?: Sha256;
}

/** What its calls are checked by. The rest of a role is for prompts. */
export interface RoleScope extends Pick<Role, 'id' | 'toolCategories' | 'allowReadFile' | 'source'> {
  /** The plan has only its id: the rest is that of the worker that has it registered. */
  isRegistered?: true;
}

export function scopeOf({ id, toolCategories, allowReadFile, source, isRegistered }: RoleScope): RoleScope {
  return { id, toolCategories, allowReadFile, ...defined({ source, isRegistered }) };
}

export const BUILT_IN_ROLE_IDS = ['planner', 'executor', 'reviewer', 'critic'] as const;
export type BuiltInRoleId = (typeof BUILT_IN_ROLE_IDS)[number];

/** Other parts of a step of kind `brief`: no role may have these names. */
export const RESERVED_ROLE_IDS: readonly string[] = [...BUILT_IN_ROLE_IDS, 'confirm', 'operator'];

/** The id becomes a part of the ids of steps. */
export const ROLE_ID = /^[a-z][a-z0-9_-]{0,39}$/;

/** The categories of a call that the role does not have, each once. They are nobody's to grant. */
export function outOfScope({ toolCategories, allowReadFile }: Omit<RoleScope, 'id'>, asked: readonly CostCategory[]): CostCategory[] {
  const has = (category: CostCategory): boolean =>
    (category === 'filesystem_read' && allowReadFile) || toolCategories.some((entry) => covers(entry, category));
  return [...new Set(asked.filter((category) => !has(category)))];
}

export const BUILT_IN_ROLES: Readonly<Record<BuiltInRoleId, Role>> = {
  planner: {
    id: 'planner',
    description: 'Splits the brief into sub-tasks with criteria by which each is accepted. It has no tools.',
    promptOverlay: `Split the brief into the fewest sub-tasks that one executor can do one after the other.

- Give each sub-task a short id of its own, a title, an instruction that can be followed without this conversation, and at least one
  criterion that a reviewer can check by looking at the result.
- Number them by \`order\`. Name in \`depends_on\` what a sub-task needs from others.
- Plan nothing that the brief does not ask for, that its constraints rule out, or that it does not authorise.
- You have no tools. If the brief leaves open something without which no plan is possible, answer with an escalation instead.`,
    toolCategories: [],
    allowReadFile: false,
  },
  executor: {
    id: 'executor',
    description: 'Does one sub-task at a time, with the tools that the brief authorises.',
    promptOverlay: `You get one sub-task at a time, with the criteria by which a reviewer will judge it.

- Do what the instruction says, and nothing beyond it.
- A tool call that the brief does not authorise is put to a person, and may be refused: then find another way, or say that there is none.
- In \`output\`, say what is there now and where, so that a reviewer can check each criterion. \`notes\` are for what surprised you.
- If you cannot go on, answer with an escalation that says what you need. Do not pretend that something is done.`,
    toolCategories: ['*'],
    allowReadFile: true,
  },
  reviewer: {
    id: 'reviewer',
    description: 'Judges what a sub-task has left, by its criteria. It reads files and changes nothing.',
    promptOverlay: `You get a sub-task, its criteria, and what the executor says that it has done.

- Check each criterion yourself: read the files, and do not take the executor's word for it.
- \`pass\` if every criterion is met; \`needs_retry\` with a revision that can be followed if another attempt can meet them; \`fail\` if none can.
- Judge by the criteria alone, not by what you would have done. You change nothing.`,
    toolCategories: ['filesystem_read'],
    allowReadFile: true,
  },
  critic: {
    id: 'critic',
    description: 'Judges the same once more, without the reviewer’s report. It reads files and changes nothing.',
    promptOverlay: `You are a second judge who does not know what the first one said.

- Look for what a friendly reader misses: a criterion that is met in words only, a case that nobody tried, work that was not asked for.
- Check each criterion yourself. Give the verdict that the evidence supports: \`pass\`, \`needs_retry\` with a revision, or \`fail\`.
- Do not object for the sake of it: a disagreement stops the work until a person decides. You change nothing.`,
    toolCategories: ['filesystem_read'],
    allowReadFile: true,
  },
};
