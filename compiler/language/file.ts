import { CATEGORIES } from '../../plan/people/category';
import type { KeyRow } from './row';

/** The keys of a pipeline file. */
export const FILE_ROWS = [
  {
    key: 'name',
    type: { kind: 'pipeline-name' },
    required: true,
    meaning: 'What the pipeline is called; it becomes the type of its Temporal workflows.',
    example: 'morning_brief',
  },
  {
    key: 'description',
    type: { kind: 'text' },
    meaning: 'What the pipeline is for; shown with its runs.',
    example: 'Research and thesis of the day.',
  },
  {
    key: 'owner',
    type: { kind: 'agent' },
    meaning: 'The agent that performs `action: self` and is notified when a run ends.',
    example: 'chief',
  },
  {
    key: 'trigger',
    type: { kind: 'trigger' },
    default: '`manual`',
    meaning: 'When runs start by themselves: `manual`, `cron "30 7 * * 1-5"`, or a mapping.',
    example: `cron "30 7 * * 1-5"`,
  },
  {
    key: 'args',
    type: { kind: 'map', names: 'arg', of: { kind: 'either', of: [{ kind: 'mapping', name: 'arg' }, { kind: 'nothing' }] } },
    meaning: 'The arguments of a run; values are checked before it starts.',
    example: '{ ticker: { type: string, default: BTC } }',
  },
  {
    key: 'env',
    type: { kind: 'map', names: 'environment variable', of: { kind: 'scalar' } },
    meaning: 'Environment variables of every command; a step’s own take precedence. A value such as `secret://env/NAME` is resolved.',
    example: '{ REGION: eu }',
  },
  {
    key: 'cwd',
    type: { kind: 'template' },
    default: 'the worker’s folder; for agents, a separate folder for each step',
    meaning: 'The folder in which every command runs and every agent works; a step’s own takes precedence.',
    example: './work',
  },
  {
    key: 'agents',
    type: { kind: 'map', names: 'agent', of: { kind: 'either', of: [{ kind: 'path' }, { kind: 'mapping', name: 'agent' }] } },
    default: '`agents/<id>.yaml`, `.yml` or `.md` next to the pipeline',
    meaning: 'Agents by id: the path of a definition, or the definition itself.',
    example: '{ editor: { role: You judge drafts. } }',
  },
  {
    key: 'schemas',
    type: { kind: 'map', names: 'output', of: { kind: 'schema' } },
    default: '`schemas/<Output>.schema.json` next to the pipeline',
    meaning: 'JSON Schemas of outputs: a path, or the schema itself.',
    example: '{ Note.json: { type: object } }',
  },
  {
    key: 'limits',
    type: { kind: 'mapping', name: 'limits' },
    meaning: 'How many steps are in flight at once, and how deep and how widely agents may spawn.',
    example: '{ concurrent: 4 }',
  },
  {
    key: 'budget',
    type: { kind: 'mapping', name: 'budget' },
    meaning: 'Ceilings for the whole run.',
    example: '{ tokens: 50000, usd: 2.5 }',
  },
  {
    key: 'escalation',
    type: { kind: 'escalation' },
    default: 'up the `reports_to` of the agent concerned, then `human`',
    meaning:
      'Who is asked, in order, when a review blocks or has used up its revisions: agents, people and groups. Agents advise and a person decides, except on a level with `decides: agent`. After the last agent the chain continues up its `reports_to`; it always ends with a person.',
    example: '[{ agent: chief, decides: agent }, human("#desk")]',
  },
  {
    key: 'requires_approval',
    type: {
      kind: 'either',
      of: [
        { kind: 'list', of: { kind: 'word', words: CATEGORIES }, alone: true, filled: true },
        { kind: 'map', names: 'category', of: { kind: 'either', of: [{ kind: 'mapping', name: 'category' }, { kind: 'nothing' }] } },
      ],
    },
    default: 'the `approvers` of `#approvals`, else anyone; asked in that channel',
    meaning: 'Who must approve actions of a category before each one is performed.',
    example: '{ move_money: { approvers: [chairman, cfo], quorum: 2 } }',
  },
  {
    key: 'channels',
    type: { kind: 'map', names: 'channel', of: { kind: 'either', of: [{ kind: 'mapping', name: 'channel' }, { kind: 'nothing' }] } },
    default: 'the inbox and the log',
    meaning: 'Where each channel posts, besides the inbox.',
    example: '{ "#desk": { mention: "@chairman" } }',
  },
  {
    key: 'defaults',
    type: { kind: 'mapping', name: 'defaults' },
    meaning: 'Values of keys, for every step that takes the key and does not set it.',
    example: '{ timeout: 10m, retry: { max: 2 } }',
  },
  {
    key: 'steps',
    type: { kind: 'steps' },
    required: true,
    meaning: 'The work.',
    example: `[{ id: hello, run: "echo hello" }]`,
  },
  {
    key: 'finally',
    type: { kind: 'steps' },
    meaning: 'Steps that always run at the end, in order; a failure among them is reported and never hides the run’s own.',
    example: `[{ id: tidy, run: "rm -rf ./scratch" }]`,
  },
  {
    key: 'memory',
    type: { kind: 'either', of: [{ kind: 'path' }, { kind: 'mapping', name: 'memory' }] },
    default: 'none',
    meaning: 'What post-mortems have learned, given to every agent that has no `memory` of its own.',
    example: 'team.md',
  },
  {
    key: 'post_mortem',
    type: { kind: 'either', of: [{ kind: 'boolean' }, { kind: 'mapping', name: 'post-mortem' }] },
    default: '`false`',
    meaning: 'The last step of a run, after `finally`: its agents look back on the run, and what they have learned is kept.',
    example: '{ when: notable, memory: team.md }',
  },
  {
    key: 'output',
    type: { kind: 'expression' },
    default: 'the output of the last step that ran',
    meaning: 'The result of the run.',
    example: 'draft.title',
  },
] as const satisfies readonly KeyRow[];
