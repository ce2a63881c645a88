import { dryRun } from '../../cli/dry-run/dry-run';
import { renderDryRun } from '../../cli/rendering/dry-run';
import { renderPlan } from '../../cli/rendering/plan';
import { type Compiled, compilePipeline } from '../../compiler';
import { BODIES, kindRow, WRITTEN_KINDS, type WrittenKind } from '../../compiler/language/kinds';
import type { KeyRow } from '../../compiler/language/row';
import { EVERY_STEP_ROWS } from '../../compiler/language/step';
import { isJsonObject, type Json, type JsonObject } from '../../plan/text/json';
import { request, set } from '../cli/dry-run-request';
import { fakeTerminal } from '../cli/fake-terminal';
import { inBody, stepWith } from './places';
import { exampleValue, SOURCES } from './world';

const { colors } = fakeTerminal();

/** Values for keys whose example is the default. */
const UNUSUAL: Readonly<Record<string, Json>> = {
  action: 'self',
  on_timeout: 'reject',
  index_var: 'number',
  show: ['before'],
  of: 'before',
  stdin: '$before.json',
  category: 'deploy',
  base: 'develop',
  isolation: 'single',
  verify: 'human',
  limits: { rounds: 5 },
  threshold: '3/4',
  rounds: 3,
  on_fail: 'stop',
  fixes: 4,
  task_timeout: '10m',
  worktree: { base: 'develop' },
  'task.worktree': true,
  blocked_share: '1/3',
  on_blocked: 'stop',
  'coordinate.on_blocked': 'swarm',
  'brief.roles': ['planner', 'executor', 'critic'],
};
/** Other values for keys that a step requires. */
const OTHER: Readonly<Record<string, Json>> = {
  agent: 'editor',
  run: 'false',
  argv: ['false'],
  input: { prompt: 'Another question?' },
  pipeline: 'other.yaml',
  notify: { channel: '#errors', message: 'Another.' },
  wait: '11m',
  for_each: '$draft.json.others',
  steps: [{ id: 'another', run: 'true' }],
  branches: [{ id: 'another', run: 'true' }],
  switch: [{ id: 'another', run: 'true' }],
  repeat: { until: 'round >= 3', max: 4, steps: [{ id: 'another', run: 'true' }] },
  merge: 'intersection',
  from: ['spare'],
  into: 'release',
  emits: 'Draft.json',
  key: 'title',
  prompt: 'Build another.',
  manager: 'editor',
  engineers: 'editor',
  task: 'Do another.',
  select: { task_type: 'test', complexity: 'medium', risk: 'low', team_size: 3, has_expert: false },
  roles: { coordinator: 'chief', planner: 'writer', executor: 'editor', tester: 'editor', expert: 'writer' },
  test: 'false',
  proposal: 'Shall we not?',
  voters: ['writer', 'chief'],
  a: { agent: 'editor', phases: [{ id: 'api', prompt: 'Another.' }] },
  b: { agent: 'writer', phases: [{ id: 'scaffold', prompt: 'Another.' }] },
  sync: [{ id: 'another', after: ['api', 'scaffold'], check: { agent: 'writer' } }],
  members: [{ name: 'carol', agent: 'editor' }],
  levels: ['writer', 'chief'],
  issue: 'Another issue.',
  topic: 'law',
  agents: { writer: 'tests' },
  verify: 'efficient',
  tasks: [{ subject: 'Another.' }],
  plan: [{ id: 'b' }],
  executor: 'editor',
  gates: { no_regression: 'npm run check' },
  parallel: { branches: [{ id: 'another', run: 'true' }] },
  team: 'others',
  subject: 'Another.',
  brief: { project: 'another', objective: 'Another.', deliverables: 'another.html', constraints: 'None.' },
};
/** Keys that name a step or its kind. */
const NAMES: readonly string[] = ['id', 'type'];

describe('`plan` and `--dry-run` show every key of a step', () => {
  const rows = WRITTEN_KINDS.flatMap((kind) => {
    const everywhere: readonly KeyRow[] = kind === 'command' ? EVERY_STEP_ROWS.filter(({ key }) => !NAMES.includes(key)) : [];
    return [...everywhere, ...kindRow(kind).rows].map((row) => [kind, row.key, row] as const);
  });
  it.each(rows)('%s: %s', (kind, key, row) => {
    const value = UNUSUAL[`${kind}.${key}`] ?? UNUSUAL[key] ?? exampleValue(row.example);
    const withKey = shown(fileOf(kind, row, value));
    const without = shown(withoutKey(fileOf(kind, row, value), row)) ?? shown(fileOf(kind, row, OTHER[key] ?? null));
    if (!withKey || !without) throw new Error(`"${key}" has no other value to compare with: add one to OTHER`);
    expect(withKey.plan).not.toBe(without.plan);
    expect(withKey.dryRun).not.toBe(without.dryRun);
  });
});

/** Values that differ from those that the mapping already has. */
const OTHER_IN_BODY: Readonly<Record<string, Json>> = { until: 'round >= 9', max: 9, steps: [{ id: 'another', run: 'true' }] };

describe('and every key of a mapping of its own', () => {
  const rows = BODIES.flatMap(({ kind, rows: body }) => body.map((row) => [kind, row.key, row] as const)).filter(
    ([kind]) => kind === 'repeat',
  );
  it.each(rows)('%s: %s', (kind, key, row) => {
    const withKey = shown(inBody(kind, row, OTHER_IN_BODY[key] ?? exampleValue(row.example)));
    const without = shown(inBody(kind, { key: 'max' }, 5));
    if (!withKey || !without) throw new Error(`"${key}" does not compile`);
    expect(withKey.plan).not.toBe(without.plan);
    expect(withKey.dryRun).not.toBe(without.dryRun);
  });
});

/** A file with a step before `draft`, so that the value can differ from the default. Only the owner has a context of its own. */
function fileOf(kind: WrittenKind, row: KeyRow, value: Json): JsonObject {
  const file = stepWith(kind, row, value);
  const steps = stepsOf(file).map((step) =>
    row.key === 'action' && isJsonObject(step) && step['id'] === 'it' ? { ...step, agent: 'chief' } : step,
  );
  return { ...file, steps: [{ id: 'before', run: 'echo "{}"' }, ...steps] };
}

function withoutKey(file: JsonObject, row: KeyRow): JsonObject {
  const cut = (step: Json): Json => {
    if (!isJsonObject(step)) return step;
    if (step['id'] === 'around') return { ...step, branches: listOf(step['branches']).map(cut) };
    return step['id'] === 'it' ? Object.fromEntries(Object.entries(step).filter(([key]) => key !== row.key)) : step;
  };
  return { ...file, steps: stepsOf(file).map(cut) };
}

function stepsOf(file: JsonObject): Json[] {
  return listOf(file['steps']);
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

/** Undefined if the file does not compile. */
function shown(file: JsonObject): { plan: string; dryRun: string } | undefined {
  const compiled = compilePipeline('pipeline.json', JSON.stringify(file), { ...SOURCES, read });
  if (!compiled.plan) return undefined;
  return { plan: planOf(compiled), dryRun: dryRunOf(compiled) };
}

function read(path: string): string | undefined {
  return path === 'other.yaml' ? 'name: other\nsteps:\n  - {id: hello, run: "echo other"}\n' : SOURCES.read(path);
}

function planOf({ plan, blobs }: Compiled): string {
  return renderPlan(plan, '', colors, (sha256) => JSON.parse(blobs.get(sha256)?.content ?? 'null') as Json);
}

function dryRunOf({ plan, blobs }: Compiled): string {
  return renderDryRun(
    dryRun(
      request({ plan, blobs, args: { ticker: 'BTC' }, settings: { models: set({}), adapters: set({}), defaultAdapter: set('scripted') } }),
    ),
    colors,
  );
}
