import { compilePipeline, type Installation, type Sources } from '../../compiler';
import type { DiagnosticCode } from '../../compiler/diagnostics/codes';

const sources: Sources = {
  read: (path) => {
    if (path === 'agents/reviewer.yaml') return 'role: Judges.\n';
    if (path === 'child.yaml') return 'name: child\nargs: {title: }\nsteps: [{id: a, run: "true"}]\n';
    return path === 'schemas/Brief.schema.json'
      ? '{"properties": {"parts": {"type": "array"}, "title": {"type": "string"}, "risk": {"enum": ["low", "high"]}}}'
      : undefined;
  },
  list: (folder) => ({ agents: ['reviewer.yaml'], '.': ['child.yaml'] })[folder] ?? ['Brief.schema.json'],
};

const draft = '{id: draft, agent: reviewer, output: Brief.json}';
const after = (step: string, more = ''): string => `name: p\n${more}steps:\n  - ${draft}\n  - ${step}\n`;

/** What is misspelt, a file with the mistake, the code, and the expected proposal. */
const MISSPELT: readonly [string, string, DiagnosticCode, string][] = [
  ['a key of the file', 'name: p\nstesp: []\nsteps: [{id: a, run: b}]\n', 'shape.unknown-key', 'steps'],
  ['a key of a step', after('{id: a, run: b, tiemout: 3s}'), 'shape.unknown-key', 'timeout'],
  [
    'a key of a step within a loop',
    after('{id: l, for_each: $draft.json.parts, steps: [{id: a, run: b, retyr: {max: 2}}]}'),
    'shape.unknown-key',
    'retry',
  ],
  ['a key of a mapping', after('{id: a, run: b, retry: {max: 2, dealy: 3s}}'), 'shape.unknown-key', 'delay'],
  ['a type of step', after('{id: a, type: aproval}'), 'step.unknown-type', 'approval'],
  ['a word', after('{id: a, agent: reviewer, action: sefl}'), 'shape.unknown-value', 'self'],
  ['an action', after('{id: a, run: b, on_error: contineu}'), 'action.syntax', 'continue'],
  ['a step that is depended on', after('{id: a, run: b, depends_on: [darft]}'), 'order.unknown-step', 'draft'],
  ['a step in an expression', after('{id: a, run: b, when: darft.title == "x"}'), 'expression.unknown-name', 'draft'],
  ['a step of an action', after('{id: a, type: review, agent: reviewer, on_revise: "retry(darft, max=2)"}'), 'step.unknown-step', 'draft'],
  ['an arg', after('{id: a, run: b, when: args.tikcer == "x"}', 'args: {ticker: }\n'), 'expression.unknown-name', 'ticker'],
  [
    'a loop’s variable',
    after('{id: l, for_each: $draft.json.parts, item_var: part, steps: [{id: a, run: b, when: prat.x}]}'),
    'expression.unknown-name',
    'part',
  ],
  ['a field of an output', after('{id: a, run: b, when: draft.titel == "x"}'), 'expression.unknown-field', 'title'],
  ['a value of an enum', after('{id: a, run: b, when: draft.risk == "hihg"}'), 'expression.not-in-enum', 'high'],
  ['a function', after('{id: a, run: b, when: lenght(draft.title) > 3}'), 'expression.unknown-function', 'length'],
  ['the file of a child pipeline', after('{id: a, pipeline: chlid.yaml}'), 'pipeline.missing-file', 'child.yaml'],
  ['the file of a child pipeline without its ending', after('{id: a, pipeline: child}'), 'pipeline.missing-file', 'child.yaml'],
  ['the file of an agent', after('{id: a, run: b}', 'agents: {r: agents/reviwer.yaml}\n'), 'agent.missing-file', 'agents/reviewer.yaml'],
  [
    'the file of a schema',
    after('{id: a, run: b}', 'schemas: {B.json: schemas/Breif.schema.json}\n'),
    'schema.missing-file',
    'schemas/Brief.schema.json',
  ],
  ['an agent', after('{id: a, agent: reviwer}'), 'step.unknown-agent', 'reviewer'],
  ['an agent that is escalated to', after('{id: a, run: b, on_error: escalate(reviwer)}'), 'agent.unknown', 'reviewer'],
  ['a schema', after('{id: a, agent: reviewer, output: Breif.json}'), 'schema.unknown', 'Brief.json'],
  ['a person or group', after('{id: a, type: approval, approvers: [bord]}'), 'people.unknown', 'board'],
  ['a person that is escalated to', after('{id: a, run: b, on_error: escalate(chairmn)}'), 'agent.unknown', 'chairman'],
  ['an approver of a category', after('{id: a, run: b}', 'requires_approval: {deploy: {approvers: cof}}\n'), 'people.unknown', 'cfo'],
  ['a category', after('{id: a, run: b, category: deplyo}'), 'shape.unknown-value', 'deploy'],
  ['a category that requires approval', after('{id: a, run: b}', 'requires_approval: [deplyo]\n'), 'shape.unknown-value', 'deploy'],
  ['a key of a category', after('{id: a, run: b}', 'requires_approval: {deploy: {quorm: 2}}\n'), 'shape.unknown-key', 'quorum'],
  [
    'a tool in a category',
    after('{id: a, run: b}', 'agents: {w: {role: x, tools: [transfer], categories: {deploy: [trasnfer]}}}\n'),
    'agent.foreign-tool',
    'transfer',
  ],
  [
    'the model of an agent under a ceiling in dollars',
    after('{id: a, agent: w}', 'budget: {usd: 1}\nagents: {w: {role: x, model: claude-lagre}}\n'),
    'budget.unknown-cost',
    'claude-large',
  ],
  ['a channel of the settings', after('{id: a, notify: {channel: "#opss", message: m}}'), 'channel.not-listed', '#ops'],
  ['a channel', after('{id: a, notify: {channel: "#dsek", message: m}}', 'channels: {"#desk": }\n'), 'channel.not-listed', '#desk'],
];

const installation: Installation = {
  directory: { people: { chairman: {}, cfo: {} }, groups: { board: ['chairman', 'cfo'] } },
  channels: ['#ops'],
  prices: { models: { 'claude-large': { input: 3, output: 15 } } },
};

describe('what is misspelt is answered with what was probably meant', () => {
  it.each(MISSPELT)('%s', (_, text, code, meant) => {
    const found = compilePipeline('pipeline.yaml', text, sources, { installation }).diagnostics;
    expect(found.map((d) => d.code)).toEqual([code]);
    expect(found[0]?.hint).toContain(`"${meant}"`);
  });
});
