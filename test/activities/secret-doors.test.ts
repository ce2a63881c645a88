import type { ActivityCall } from '../../activities/activity-call';
import { GroupProcessRunner } from '../../activities/adapters/processes/process-runner';
import { LocalSecrets } from '../../activities/adapters/secrets';
import type { ChannelMessage } from '../../activities/channel-port';
import { maskedAnswer } from '../../activities/masking/mask-output';
import { maskedLog } from '../../activities/masking/masked-log';
import type { Masking } from '../../activities/masking/masking';
import { RESULTS } from '../../activities/masking/results';
import { PERFORM } from '../../activities/perform';
import type { Expr } from '../../plan/expressions/expression';
import { IR_VERSION, type Plan } from '../../plan/plan';
import type { Activities, ActivityName } from '../../plan/run/contract';
import { ThermidorFailure } from '../../plan/run/failure';
import type { CommandStep, Step } from '../../plan/steps/step';
import type { StepOutput } from '../../plan/steps/step-activity';
import type { Json } from '../../plan/text/json';
import { asJson } from '../../records/stored-json';
import { failureOf, KEY, outputTemplate, type Workshop, workshop } from './workshop';

/** A command has printed this secret. The store keeps it as it came, but it must not leave by any of these doors. */
const SECRET = 'abc+def/ghi=JKL';
const ARGS: Partial<Plan> = { args: { tok: { secret: true } } };
const GIVEN = { tok: 'secret://env/TOK' };

interface Scene extends Workshop {
  sent: ChannelMessage[];
}

async function scene(steps?: Step[]): Promise<Scene> {
  const sent: ChannelMessage[] = [];
  const channel = { name: 'desk', serves: () => true, deliver: async (message: ChannelMessage) => void sent.push(message) };
  const secrets = new LocalSecrets({ TOK: SECRET });
  const shop = workshop({ secrets, processes: new GroupProcessRunner(), channelAdapters: [channel] });
  if (steps) await shop.open(steps, ARGS, undefined, GIVEN);
  return { ...shop, sent };
}

/** Returns a result as a worker sends it. */
async function answer<N extends ActivityName>(
  at: Workshop,
  name: N,
  id: string,
  input: object,
): Promise<Awaited<ReturnType<Activities[N]>>> {
  type Answer = Awaited<ReturnType<Activities[N]>>;
  const perform = PERFORM[name] as (toolbox: Workshop['toolbox'], call: ActivityCall, input: object) => Promise<Answer>;
  const masking = RESULTS[name] as Masking<Answer>;
  return await maskedAnswer(at.toolbox, KEY, masking, () => perform({ ...at.toolbox }, at.call(id), { run: KEY.run, ...input }));
}

const login = (at: Workshop) => at.artifacts.put(`token=${SECRET}\n`, { mediaType: 'text/plain', name: 'login.txt' });
const put = (at: Workshop, value: Json) => at.artifacts.put(JSON.stringify(value), { mediaType: 'application/json' });
const said = async (at: Workshop, ref: { sha256: string }) => (await at.artifacts.get(ref)).toString();
const told = ['Go ', ...outputTemplate('login')];

async function asked(step: Step) {
  const at = await scene([step]);
  const gate = await answer(at, 'gate', 'a#1~1/gate', { inputs: { login: await login(at) } });
  return { at, gate };
}

const doors: Record<string, () => Promise<unknown>> = {
  'the question of an approval': async () => (await asked({ id: 'a', kind: 'approval', prompt: told, show: [] })).gate.question,
  'what an approval shows': async () => {
    const { at, gate } = await asked({ id: 'a', kind: 'approval', prompt: ['Fine?'], show: ['login'] });
    return await said(at, gate.document);
  },
  'the preview of an approval': async () => {
    const { at, gate } = await asked({ id: 'a', kind: 'approval', prompt: ['Fine?'], preview: told, show: [] });
    return [await said(at, gate.document), await said(at, gate.form!)];
  },
  'the gist of a report in a question that nobody wrote': async () => {
    const at = await scene([{ id: 'a', kind: 'approval' }]);
    return (await answer(at, 'gate', 'a#1~1/gate', { inputs: { login: await put(at, { summary: SECRET }) } })).question;
  },
  'the question and the subject of an input': async () => {
    const { at, gate } = await asked({ id: 'a', kind: 'input', prompt: told, subject: outputTemplate('login') });
    return [gate, await said(at, gate.form!), await said(at, gate.document)];
  },
  'the question behind a step': async () => {
    const at = await scene([{ id: 'a', kind: 'command', command: { shell: ['echo ', arg('tok')] }, approval: { prompt: ['Go '] } }]);
    const { approval } = await answer(at, 'command', 'a#1~1', {});
    return await said(at, approval!.form);
  },
  'the question behind a step that somebody else has done': async () => {
    const at = await scene([
      { id: 'a', kind: 'parallel', branches: [], approval: { prompt: [...outputTemplate('a')] } } as unknown as Step,
    ]);
    return (await answer(at, 'gate', 'a#1~1/gate', { inputs: { a: await login(at) } })).approval;
  },
  'a question that the run itself asks': async () => {
    const at = await scene([{ id: 'a', kind: 'wait', forMs: 1 }]);
    const verdict = { verdict: 'revise' as const, findings: {}, summary: SECRET };
    const rounds = [{ step: 'a', round: 1, artifact: await put(at, { summary: SECRET }), verdict }];
    const escalation = { reason: `it failed: ${SECRET}`, chain: ['ann'], rounds };
    const escalated = await answer(at, 'gate', 'a#1~1/gate', { escalation });
    return [await answer(at, 'gate', 'a#1~1/gate', { statement: SECRET }), escalated, await said(at, escalated.document)];
  },
  'the notice of a step': async () => {
    const at = await scene([{ id: 'a', kind: 'notify', channel: '#x', message: told }]);
    const output = await answer(at, 'notify', 'a#1~1', { channel: '#x', inputs: { login: await login(at) } });
    return [output, asJson(at.sent)];
  },
  'a notice of the run': async () => {
    const at = await scene([]);
    const notice = { message: `step a failed: ${SECRET}`, channel: '#x', kind: 'error' };
    return [await answer(at, 'notify', 'notice-1', notice), asJson(at.sent)];
  },
  'what a notice carries of the outputs that its gate shows': async () => {
    const at = await scene([]);
    const { sha256 } = await at.artifacts.put(`# demo: a\n\nFine?\n\n## login\n\ntoken=${SECRET}\n`, { mediaType: 'text/markdown' });
    const gate = { step: 'a', kind: 'approval', question: 'Fine?', choices: ['approve'], shownSha256: sha256 };
    await answer(at, 'notify', 'notice-1', { message: 'Fine?', channel: '#x', kind: 'gate', gate });
    return at.sent[0]?.shown;
  },
  'a message that needs a yes': async () => {
    const at = await scene([{ id: 'a', kind: 'notify', channel: '#x', message: told, category: 'message_outside' }]);
    const gate = await answer(at, 'gate', 'a#1~1/approval-1', { category: 'message_outside', inputs: { login: await login(at) } });
    return [gate, await said(at, gate.document)];
  },
  'args of a child pipeline': async () => {
    const at = await scene();
    const plan = { irVersion: IR_VERSION, name: 'other', source: '0'.repeat(64), trigger: { kind: 'manual' }, args: { note: {} } };
    const [child, given] = [
      await at.blob({ ...plan, block: { order: 'sequence', steps: [] } }),
      await at.blob({ note: outputTemplate('login') }),
    ];
    await at.open([{ id: 'a', kind: 'pipeline', pipeline: 'other', plan: child, with: given }], ARGS, undefined, GIVEN);
    await answer(at, 'childInput', 'a#1~1/input', { inputs: { login: await login(at) } });
    return await at.ledger.get(KEY, `child/${KEY.workflowId}.a`);
  },
  'how a child ended, which does not know the secrets of its parent': async () => {
    const at = await scene([]);
    const ends = [
      { step: 'a#1~1', kind: 'ended', state: 'completed', output: { value: { token: SECRET } } },
      { step: 'a#1~1', kind: 'ended', state: 'failed', code: 'command.failed', message: `stderr: ${SECRET}` },
      { step: 'a#1~1', kind: 'gates', state: 'waiting', gates: [{ step: 'ok', question: SECRET }], held: [{ step: 'b', reason: SECRET }] },
    ];
    const child = { workflowId: 'child', run: 'r' };
    for (const [n, says] of ends.entries()) {
      await at.ledger.append(child, `to/${KEY.workflowId}`, { by: 'x', n, for: KEY.run, says } as unknown as Json);
    }
    const { says } = await answer(at, 'hear', 'hear-1', { from: child, after: 0 });
    expect(says).toHaveLength(3);
    return says;
  },
  'values that control reads of a command': async () => {
    const at = await scene([{ id: 'a', kind: 'command', command: { shell: ['echo ', arg('tok')] }, readsStdout: true }]);
    return await answer(at, 'command', 'a#1~1', {});
  },
  'values that control reads of a chain': async () => {
    const at = await scene([{ id: 'a', kind: 'command', command: { shell: ['echo ', arg('tok')] }, readsStdout: true }]);
    return await answer(at, 'commands', 'chain-1', { steps: [{ address: 'a#1~1', input: {} }] });
  },
  'values that control reads of what a container puts out': async () => {
    const at = await scene([{ id: 'a', kind: 'input', prompt: ['?'], reads: [[]] }]);
    return await answer(at, 'compose', 'a#1~1/output', { from: { kind: 'value', value: { token: SECRET } } });
  },
  'values that control reads of items': async () => {
    const at = await scene([]);
    const list = await put(at, [`x-${SECRET}`, 'y']);
    return await answer(at, 'itemValues', 'each#1~1/values', { list, from: 0, to: 2, paths: [[]] });
  },
  'values that control reads of a stream': async () => {
    const at = await scene([]);
    const item = await put(at, { token: SECRET });
    await at.ledger.append(KEY, 'a#1/items', { id: '1', from: { by: 'ann' }, item, key: 1 } as unknown as Json);
    return await answer(at, 'emitted', 'emitted-1', { stream: 'a#1/items', after: 0, lines: 0, taken: 0, paths: [['token']] });
  },
  'what a rule decides about': async () => {
    const step = { id: 'a', kind: 'escalate', matter: { kind: 'template', template: told } } as unknown as Step;
    const at = await scene([step]);
    const issue = await put(at, { summary: SECRET, title: `about ${SECRET}` });
    const { artifact, values } = await answer(at, 'applyRule', 'a#1~1/issue', {
      ...{ at: 'a#1~1', as: 'issue', call: { rule: 'issue', given: {} }, documents: { matter: issue } },
    });
    return [values, await said(at, artifact)];
  },
  'what a failure says, and its details': async () => {
    const at = await scene([{ id: 'a', kind: 'command', command: { shell: ['echo ', arg('tok'), ' >&2; exit 1'] } }]);
    const failure = await failureOf(answer(at, 'command', 'a#1~1', {}));
    return [failure.message, failure.details];
  },
  'why a list is none': async () => {
    const at = await scene([{ id: 'a', kind: 'for_each', items: output('login'), block: { order: 'sequence', steps: [] } }]);
    const failure = await failureOf(answer(at, 'items', 'a#1~1/items', { inputs: { login: await login(at) } }));
    expect(failure.code).toBe('loop.not-a-list');
    return failure.message;
  },
  'what is wrong with an answer': async () => {
    const at = await scene([]);
    const form = await put(at, { prompt: '', responseSchema: { enum: [SECRET] } });
    return await answer(at, 'checkResponses', 'run/answers-1', { responses: [{ step: 'a#1~1', form, response: 'no' }] });
  },
  'the worker’s log': async () => {
    const at = await scene([]);
    await at.toolbox.secrets.resolve('secret://env/TOK');
    const lines: unknown[] = [];
    maskedLog((...line) => lines.push(line), at.toolbox.secrets)('warn', `about ${SECRET}`, { problem: [SECRET] });
    return lines;
  },
};

function arg(name: string): Expr {
  return { kind: 'arg', name, path: [] };
}

function output(step: string): Expr {
  return { kind: 'output', step, path: [] };
}

test.each(Object.entries(doors))('a secret that a command has printed does not leave by: %s', async (_, door) => {
  const shown = JSON.stringify(await door());
  expect(shown).not.toContain('abc+def');
  expect(shown).toContain('***');
});

/** A secret that is cut in two when the text is shortened. */
const longEnough = 'x'.repeat(16 * 1024 - 7);
const cutThrough: Record<string, () => Promise<unknown>> = {
  'the end of what a command says on stderr': () => failed({ shell: ['printf %s ', arg('tok'), ` >&2; printf ${longEnough} >&2; exit 1`] }),
  'the end of what it says on stdout': () => failed({ shell: ['printf %s ', arg('tok'), `; printf ${longEnough}; exit 1`] }),
  'what its tests say': () => {
    const failure = `<testsuite><testcase name="a"><failure>${'x'.repeat(990)}`;
    return failed(
      { shell: [`printf '${failure}'; printf %s `, arg('tok'), `; printf '</failure></testcase></testsuite>'; exit 1`] },
      'junit',
    );
  },
  'what a schema finds wrong with what a command prints': async () => {
    const at = await scene();
    const schema = (await put(at, { additionalProperties: false, required: [`${'x'.repeat(294)}${SECRET}`] })).sha256;
    const printed = `printf '{"${'x'.repeat(295)}%s": 1}' `;
    const step = { id: 'a', kind: 'command', command: { shell: [printed, arg('tok')] }, output: { name: 'a.json', schema } };
    await at.open([step as CommandStep], ARGS, undefined, GIVEN);
    const failure = await failureOf(answer(at, 'command', 'a#1~1', {}));
    return [failure.message, failure.details];
  },
  'rounds that a person is shown': async () => {
    const at = await scene([{ id: 'a', kind: 'wait', forMs: 1 }]);
    const rounds = [{ step: 'a', round: 1, artifact: await put(at, `${'x'.repeat(32 * 1024 - 10)}${SECRET}`) }];
    const escalation = { reason: 'it failed', chain: ['ann'], rounds };
    return await said(at, (await answer(at, 'gate', 'a#1~1/gate', { escalation })).document);
  },
  'an output that a gate shows in part': async () => {
    const step: Step = { id: 'a', kind: 'approval', prompt: ['Fine?'], show: ['login'] };
    const at = await scene([step]);
    const long = await at.artifacts.put(`${'x'.repeat(256 * 1024 - 7)}${SECRET}`, { mediaType: 'text/plain' });
    const { document } = await answer(at, 'gate', 'a#1~1/gate', { inputs: { login: long } });
    return (await said(at, document)).slice(-2000);
  },
  'what came instead of a list': async () => {
    const at = await scene([
      { id: 'a', kind: 'for_each', items: { kind: 'output', step: 'login', path: [] }, block: { order: 'sequence', steps: [] } },
    ]);
    const failure = await failureOf(answer(at, 'items', 'a#1~1', { inputs: { login: await put(at, `${'x'.repeat(70)}${SECRET}`) } }));
    return failure.message;
  },
};

async function failed(command: CommandStep['command'], format?: 'junit'): Promise<unknown> {
  const at = await scene([{ id: 'a', kind: 'command', command, ...(format ? { tests: { format } } : {}) }]);
  const end = await answer(at, 'command', 'a#1~1', {}).catch((error: unknown) => error);
  if (end instanceof ThermidorFailure) return [end.message, end.details];
  const { artifact } = end as StepOutput;
  return artifact && (await said(at, artifact));
}

test.each(Object.entries(cutThrough))('nor does half of one leave by what is cut: %s', async (_, door) => {
  const text = JSON.stringify(await door());
  expect(text).toContain('xxx');
  expect(text).not.toContain(SECRET.slice(0, 5));
  expect(text).not.toContain(SECRET.slice(-5));
});

test('what the store has of a command stays as it came, and so do digests and references', async () => {
  const at = await scene([{ id: 'a', kind: 'command', command: { shell: ['echo ', arg('tok')] } }]);
  const { artifact } = await answer(at, 'command', 'a#1~1', {});
  expect(await said(at, artifact!)).toBe(`${SECRET}\n`);
});

test('a short secret changes no word that the run goes by', async () => {
  const secrets = new LocalSecrets({ TOK: 'done' });
  const at = workshop({ secrets });
  await at.open([{ id: 'done', kind: 'command', command: { shell: ['true'] } }], ARGS, undefined, GIVEN);
  const { done } = await answer(at, 'commands', 'chain-1', { steps: [{ address: 'done#1~1', input: {} }] });
  expect(done[0]?.output.artifact?.name).toBe('done.txt');
});

test('a secret that was replaced while the run runs is masked in what work says afterwards', async () => {
  const environment: Record<string, string> = { TOK: SECRET };
  const at = workshop({ secrets: new LocalSecrets(environment), processes: new GroupProcessRunner() });
  await at.open(
    [
      { id: 'a', kind: 'approval', prompt: told, show: [] },
      { id: 'b', kind: 'command', command: { shell: ['echo ', arg('tok')] } },
    ],
    ARGS,
    undefined,
    GIVEN,
  );
  await answer(at, 'command', 'b#1~1', {});
  environment['TOK'] = 'another one';
  expect((await answer(at, 'gate', 'a#1~1/gate', { inputs: { login: await login(at) } })).question).toBe('Go token=***');
});
