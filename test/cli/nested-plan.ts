import type { Expr } from '../../plan/expressions/expression';
import type { Plan } from '../../plan/plan';
import type { Step } from '../../plan/steps/step';
import { repeat } from '../support/steps';

/** A plan with every kind of step, nested as far as possible. Blobs by digest are in `NESTED_BLOBS`. */
const output = (step: string, ...path: string[]): Expr => ({ kind: 'output', step, path });
const arg = (name: string): Expr => ({ kind: 'arg', name, path: [] });

const CHILD: Plan = {
  irVersion: 2,
  name: 'deploy',
  source: '0'.repeat(64),
  trigger: { kind: 'manual' },
  args: { target: { type: 'string', required: true } },
  block: {
    order: 'sequence',
    steps: [
      { id: 'push', kind: 'command', command: { shell: ['push to ', arg('target')] } },
      { id: 'allow', kind: 'approval', channel: '#ops', approvers: ['ann', 'bob'], quorum: 2 },
    ],
  },
};

export const NESTED_BLOBS: ReadonlyMap<string, { content: string; mediaType: string; name: string }> = new Map(
  Object.entries({
    child: CHILD,
    with: { target: [output('intel', 'market')] },
    prompt: ['Look at ', arg('topic'), ' since ', { kind: 'run', field: 'startedAt' }, '.'],
    writer: { id: 'writer', title: 'the writer', role: 'You write.' },
    answer: { type: 'object', required: ['size'], properties: { size: { type: 'integer' } } },
  }).map(([digest, value]) => [digest, { content: JSON.stringify(value), mediaType: 'application/json', name: digest }]),
);

export const NESTED: Plan = {
  irVersion: 2,
  name: 'weekly',
  description: 'Everything at once.',
  source: '0'.repeat(64),
  trigger: { kind: 'manual' },
  args: { topic: { type: 'string', default: 'steel' }, quick: { type: 'boolean' }, files: { type: 'array' }, token: { secret: true } },
  agents: { writer: { definition: 'writer', timeoutMs: 60_000 } },
  budget: { tokens: 50_000, costMicroUsd: 2_000_000 },
  block: {
    order: 'sequence',
    steps: [
      {
        id: 'intel',
        kind: 'agent',
        agent: 'writer',
        prompt: 'prompt',
        output: { name: 'Brief.json' },
        reads: [['market'], ['items', 0, 'id']],
        retry: { max: 3, backoff: 'exponential', delayMs: 2000 },
      },
      {
        id: 'looks',
        kind: 'parallel',
        wait: { quorum: 0.5 },
        timeoutMs: 300_000,
        merge: { how: 'union', key: 'id' },
        branches: [
          { id: 'fetch', kind: 'command', command: { argv: [['curl'], ['-o'], [output('intel', 'market')]] }, queue: 'host' },
          {
            id: 'deep',
            kind: 'group',
            block: {
              order: 'sequence',
              steps: [
                { id: 'dig', kind: 'agent', agent: 'writer' },
                {
                  id: 'judge',
                  kind: 'review',
                  agent: 'writer',
                  of: 'dig',
                  onRevise: [{ kind: 'retry', step: 'dig', max: 2 }],
                  onBlock: [{ kind: 'escalate', to: { kind: 'human' } }],
                },
              ],
            },
          },
        ],
      },
      {
        id: 'each',
        kind: 'for_each',
        items: arg('files'),
        itemVar: 'file',
        maxConcurrent: 3,
        batchSize: 10,
        pauseMs: 1000,
        itemReads: [['name']],
        when: { kind: 'binary', operator: '!=', left: arg('quick'), right: { kind: 'literal', value: true } },
        block: {
          order: 'sequence',
          steps: [
            {
              id: 'lint',
              kind: 'command',
              command: { shell: ['lint ', { kind: 'variable', name: 'file', path: ['name'] }, ' ', arg('topic')] },
              env: { TOKEN: [arg('token')] },
              cwd: ['src'],
            },
            {
              id: 'accept',
              kind: 'command',
              chained: true,
              command: { shell: ['cat'] },
              stdin: [output('lint')],
              approval: { prompt: ['Keep it?'] },
            },
          ],
        },
      },
      { id: 'ship', kind: 'pipeline', pipeline: 'deploy', plan: 'child', with: 'with' },
      {
        id: 'size',
        kind: 'input',
        prompt: ['How large?'],
        responseSchema: 'answer',
        defaults: { size: 3 },
        timeoutMs: 3_600_000,
      },
      {
        id: 'pipe',
        kind: 'stages',
        stages: [
          { name: 'exec', words: [['ls'], [arg('topic')]], flags: { json: [] } },
          { name: 'where', words: [['size>=3']], flags: {} },
          { name: 'approve', words: [], flags: { prompt: ['All of these?'] } },
        ],
      },
      { id: 'signal', kind: 'wait', signal: 'market-open', timeoutMs: 60_000 },
      {
        id: 'approve',
        kind: 'approval',
        prompt: ['Trade on ', output('intel', 'market'), '?'],
        show: ['intel'],
        approvers: ['chairman'],
        timeoutMs: 86_400_000,
        onTimeout: 'reject',
        remindMs: 7_200_000,
        fourEyes: true,
        onReject: [{ kind: 'retry', step: 'intel', max: 2 }],
      },
    ],
  },
  finally: {
    order: 'sequence',
    steps: [{ id: 'tell', kind: 'notify', channel: '#desk', message: ['done with ', arg('topic')] }],
  },
};

/** The kinds for which `NESTED` has no room. */
export const CHOOSING: Plan = {
  irVersion: 2,
  name: 'choosing',
  source: '0'.repeat(64),
  trigger: { kind: 'manual' },
  block: {
    order: 'sequence',
    steps: [
      {
        id: 'route',
        kind: 'switch',
        branches: [
          { id: 'fast', kind: 'command', command: { shell: ['fast'] }, when: arg('quick') },
          { id: 'slow', kind: 'command', command: { shell: ['slow'] }, when: { kind: 'not', operand: arg('quick') } },
        ],
      },
      repeat('fix', [{ id: 'check', kind: 'command', command: { shell: ['check'] } }], 3),
      { id: 'land', kind: 'merge', from: ['check'], into: ['main'] },
      {
        ...{ id: 'team', kind: 'caid', parts: [], into: 'main', prompt: 'prompt', engineers: 4, restricted: [] },
        ...{ limits: { rounds: 22, returns: 3 }, verify: 'gate', isolation: 'worktree' },
      },
      {
        ...{ id: 'board', kind: 'board', team: 'research', spawns: ['writer'], mostMembers: 8, maxTurns: 50, attempts: 3, until: 'idle' },
        ...{ idleMs: 60_000, shutdownMs: 300_000 },
        members: [
          { name: 'lead', agent: 'lead', isLead: true, prompt: 'prompt' },
          { name: 'alice', agent: 'writer', role: 'coder' },
        ],
        tasks: {
          list: [
            { name: 'lexer', subject: 'Write the lexer' },
            { subject: 'Write the parser', description: 'prompt', blockedBy: ['lexer'], requiredRole: 'coder', priority: 1 },
          ],
        },
        parts: [
          { id: 'board_lead', kind: 'agent', agent: 'lead' },
          { id: 'board_writer', kind: 'agent', agent: 'writer' },
          { id: 'board_person', kind: 'approval' },
        ],
      },
      {
        ...{ id: 'decide', kind: 'consensus', threshold: { share: [2, 3] }, rounds: 2, timeoutMs: 300_000 },
        matter: { fields: [['title', { template: ['Which database?'] }]] },
        voters: [
          { name: 'ann', part: 'ann', kind: 'person' },
          { name: 'writer', part: 'writer', kind: 'agent' },
        ],
        parts: [
          { id: 'decide_ann', kind: 'approval', approvers: ['ann'], comment: 'always' },
          { id: 'decide_writer', kind: 'agent', agent: 'writer' },
          { id: 'decide_revise', kind: 'agent', agent: 'writer' },
          { id: 'decide_default', kind: 'agent', agent: 'writer' },
        ],
        onFail: [{ kind: 'escalate', to: { kind: 'human' } }],
      },
      {
        ...{ id: 'dual', kind: 'tracks', ahead: 'one_phase', integrates: true, onBlocked: [{ kind: 'hold' }] },
        a: { agent: 'writer', phases: ['api'] },
        b: { agent: 'editor', phases: ['scaffold'] },
        sync: [{ id: 'contract', name: 'The contract', after: { a: 'api', b: 'scaffold' }, by: 'writer', rounds: 2, waitMs: 300_000 }],
        parts: [
          { id: 'dual_api', kind: 'agent', agent: 'writer' },
          { id: 'dual_scaffold', kind: 'agent', agent: 'editor' },
          { id: 'dual_contract', kind: 'agent', agent: 'writer' },
          { id: 'dual_integration', kind: 'command', command: { shell: ['npm test'] } },
        ],
      },
      {
        ...{ id: 'rescue', kind: 'escalate', matter: { template: ['The build is red.'] }, remember: true },
        levels: [
          { name: 'writer', part: 'writer', kind: 'agent', attempts: 2 },
          { name: 'human', part: 'person', kind: 'person', attempts: 1 },
        ],
        parts: [
          { id: 'rescue_writer', kind: 'agent', agent: 'writer' },
          { id: 'rescue_person', kind: 'approval', timeoutMs: 86_400_000, onTimeout: 'conservative' },
          { id: 'rescue_check', kind: 'command', command: { shell: ['npm test'] } },
        ],
        onRootCause: [{ kind: 'stop' }],
      },
      {
        ...{ id: 'go', kind: 'coordinate', block: { order: 'sequence', steps: [{ id: 'go_impl', kind: 'agent', agent: 'writer' }] } },
        selected: [{ pattern: 'CP-1', why: 'it is the base of all else' }],
        written: [['on_blocked', 'swarm']],
      },
      {
        ...{ id: 'advise', kind: 'consult', topic: 'security', urgency: 'normal', timeoutMs: 300_000 },
        matter: {
          fields: [
            ['question', { template: ['Which hash?'] }],
            ['options', { list: [{ template: ['bcrypt'] }, { template: ['argon2id'] }] }],
          ],
        },
        advisers: [
          { as: 'consultant', name: 'writer' },
          { as: 'second_opinion', name: 'lead' },
        ],
        parts: [
          { id: 'advise_consultant', kind: 'agent', agent: 'writer' },
          { id: 'advise_second_opinion', kind: 'agent', agent: 'lead' },
        ],
      },
      {
        ...{ id: 'mob', kind: 'swarm', matter: { template: ['The build is red.'] }, affected: ['build'], pausesOthers: true },
        ...{ rounds: 2, timeoutMs: 600_000, onFail: [{ kind: 'stop' }] },
        agents: [{ name: 'writer', part: 'writer', perspective: 'implementation' }],
        parts: [
          { id: 'mob_writer', kind: 'agent', agent: 'writer' },
          { id: 'mob_files', kind: 'command', command: { shell: ['cat'] } },
          { id: 'mob_fix_writer', kind: 'agent', agent: 'writer' },
          { id: 'mob_verify', kind: 'command', command: { shell: ['npm test'] } },
        ],
      },
      {
        ...{ id: 'deliver', kind: 'increments', executor: 'writer', validator: 'reader', gates: ['syntax_clean'], worktree: {} },
        ...{ fixes: 3, taskTimeoutMs: 1_200_000, timeoutMs: 1_800_000, blockedShare: { share: [1, 2] } },
        matter: { template: [{ kind: 'output', step: 'fetch', path: ['tasks'] }] },
        parts: [
          { id: 'deliver_executor', kind: 'agent', agent: 'writer', worktree: { of: 'deliver' } },
          { id: 'deliver_syntax_clean', kind: 'command', command: { shell: ['npx tsc --noEmit'] }, worktree: { of: 'deliver' } },
          { id: 'deliver_validator', kind: 'agent', agent: 'reader', worktree: { of: 'deliver' } },
          { id: 'deliver_final', kind: 'command', command: { shell: ['npm test'] }, worktree: { of: 'deliver' } },
        ],
        onBlocked: [{ kind: 'escalate', to: { kind: 'human' } }],
      },
    ],
  },
  finally: {
    order: 'sequence',
    steps: [
      {
        ...{ id: 'post_mortem', kind: 'post_mortem', occasion: 'notable', takers: true, timeoutMs: 180_000 },
        asked: [{ agent: 'writer', part: 'writer' }],
        files: { memory: 'team.md', guidelines: 'docs/guidelines.md' },
        parts: [{ id: 'post_mortem_writer', kind: 'agent', agent: 'writer' }],
      },
    ],
  },
};

/** A step of each kind that neither of them has. */
export const FURTHER: readonly Step[] = [
  {
    ...{ id: 'brief', kind: 'brief', project: 'my-site', mode: 'gated', authorized: ['filesystem_write'], toolCalls: 15, retries: 3 },
    ...{ roles: [{ id: 'planner', toolCategories: [], allowReadFile: false }], matter: { template: ['A site.'] }, parts: [] },
  },
  { id: 'ask', kind: 'task', team: 'maintainers', task: { subject: ['Look.'] } },
];
