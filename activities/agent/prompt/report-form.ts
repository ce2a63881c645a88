import type { MemberWork } from '../../../plan/board/member-work';
import { REPORT_STATUSES } from '../../../plan/board/report';
import { SUBJECT_CHARACTERS } from '../../../plan/board/task';
import type { Json } from '../../../plan/text/json';
import { contentDigest } from '../../gates/content-digest';
import { identityOf } from '../member-identity';
import { section } from './prompt';

/** What a member that is a program sees of its team, and the form of its answer: it has no tools of a board. */

/** Fewer than `DESCRIPTION_BYTES`, whatever the characters. */
const TEXT_CHARACTERS = 16_000;
const MOST_TASKS = 20;
const MOST_BLOCKERS = 20;
const MOST_MESSAGES = 20;

const text = (description: string) => ({ type: 'string', minLength: 1, maxLength: TEXT_CHARACTERS, description });

const SCHEMA: Json = {
  type: 'object',
  additionalProperties: false,
  required: ['status', 'summary'],
  properties: {
    status: {
      enum: [...REPORT_STATUSES],
      description:
        '`done` completes the task that you were given; `blocked` and `failed` give it back to the board, because something is missing or it cannot be done: another member tries it. Without a task, `done`.',
    },
    summary: text('what you have done, or why the task goes back'),
    result: text('the result of the task, for the others; without it, the summary'),
    create_tasks: {
      type: 'array',
      maxItems: MOST_TASKS,
      description: 'tasks for the board, which any member may claim: all of them are created, or none',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['subject'],
        properties: {
          subject: { type: 'string', pattern: '^.*\\S.*$', maxLength: SUBJECT_CHARACTERS, description: 'one line' },
          description: text('what is to be done'),
          name: { type: 'string', minLength: 1, maxLength: 80, description: 'what other tasks call it; unique, and no number' },
          blocked_by: {
            type: 'array',
            maxItems: MOST_BLOCKERS,
            items: { type: ['integer', 'string'], maxLength: 80 },
            description: 'numbers or names of the tasks that come first',
          },
          required_role: { type: 'string', minLength: 1, maxLength: 80, description: 'only members with this role may claim it' },
          priority: { type: 'integer', description: 'the smaller number is claimed first; 0 without it' },
          worktree: {
            type: 'boolean',
            description: 'true: it is done in a git worktree of its own. Without it: as the board says for all',
          },
        },
      },
    },
    messages: {
      type: 'array',
      maxItems: MOST_MESSAGES,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['to', 'content'],
        properties: {
          to: { type: 'string', minLength: 1, maxLength: 80, description: 'a member, or `lead`' },
          content: text('the message'),
        },
      },
    },
  },
};

export const REPORT_SCHEMA = { digest: contentDigest(SCHEMA).sha256, value: SCHEMA };

/** Who the member is, who else is there, and that its answer is all that the board has of it. */
export function teamSection(member: MemberWork): string {
  const others = member.others.map(({ name, role, status, isLead }) => {
    const what = [...(isLead ? ['leads'] : []), ...(role === undefined ? [] : [role]), status];
    return `- ${name}: ${what.join(', ')}`;
  });
  return section(
    'Team',
    [
      identityOf(member).text,
      others.length === 0 ? 'Nobody else is in the team.' : `The others:\n\n${others.join('\n')}`,
      'You have no tools of the board: your answer says what becomes of your task, which tasks you create, and what you say to others. `done` stands for complete_task, `blocked` and `failed` for fail_task. It can wait for nothing: what comes back to you is in your next request.',
    ].join('\n\n'),
  );
}
