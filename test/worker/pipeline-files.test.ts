import { symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ThermidorFailure } from '../../plan/run/failure';
import { PipelineFiles } from '../../worker/pipeline-files';
import { readName } from '../../worker/pipeline-index';
import { writeFiles } from '../support/scratch-folder';

const PIPELINE = 'name: demo\nsteps:\n  - id: bull\n    agent: bull\n';
const AGENT = 'role: You make the bull case.\n';
const WHOLE = { 'demo.yaml': PIPELINE, 'agents/bull.yaml': AGENT };

async function failureOf(work: () => Promise<unknown>): Promise<ThermidorFailure> {
  try {
    await work();
  } catch (error) {
    if (error instanceof ThermidorFailure) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

describe('pipelines in folders', () => {
  test('are found by the name in them, not by the file’s', async () => {
    const root = writeFiles({
      'agents/bull.yaml': AGENT,
      'any.yml': PIPELINE,
      'other.json': '{"name": "other", "steps": []}',
      'notes.yaml': 'a: b',
    });
    const files = new PipelineFiles([root]);
    expect(files.names()).toEqual(['demo', 'other']);
    const { plan, blobs } = await files.pipeline('demo');
    expect(plan.name).toBe('demo');
    expect(blobs.has(plan.agents?.['bull']?.definition ?? '')).toBe(true);
  });

  test('are compiled with the people, channels and prices of the settings', async () => {
    const gate = 'name: demo\nsteps:\n  - {id: ask, type: approval, approvers: [board], channel: "#ops"}\n';
    const root = writeFiles({ 'demo.yaml': gate });
    const directory = { people: { chairman: { delegates: ['cfo'] }, cfo: {} }, groups: { board: ['chairman'] } };
    const installation = { directory, channels: ['#ops'], prices: { models: {} } };
    const { plan } = await new PipelineFiles([root], installation).pipeline('demo');
    expect(plan).toMatchObject({ block: { steps: [{ approvers: ['chairman'] }] }, delegates: { chairman: ['cfo'] } });
    const failure = await failureOf(() => new PipelineFiles([root], { ...installation, channels: ['#desk'] }).pipeline('demo'));
    expect(failure.details).toMatchObject({ diagnostics: [{ code: 'channel.not-listed' }] });
  });

  test('are compiled as they are', async () => {
    const root = writeFiles(WHOLE);
    const files = new PipelineFiles([root]);
    const before = await files.pipeline('demo');
    writeFileSync(join(root, 'demo.yaml'), `${PIPELINE}    description: edited\n`);
    expect((await files.pipeline('demo')).plan.source).not.toBe(before.plan.source);
    writeFileSync(join(root, 'demo.yaml'), PIPELINE.replace('demo', 'renamed'));
    utimesSync(join(root, 'demo.yaml'), 1, 1);
    expect(files.names()).toEqual(['renamed']);
  });

  test('in a folder that cannot be read are missed with the reason, and do not keep the others from working', async () => {
    const root = writeFiles(WHOLE);
    const loop = join(root, 'loop');
    symlinkSync(loop, loop);
    const files = new PipelineFiles([loop, root]);
    expect(files.names()).toEqual(['demo']);
    expect((await failureOf(() => files.pipeline('none'))).message).toContain(`known: demo; ${loop} cannot be read (ELOOP)`);
  });

  test('that do not exist are answered with those that do', async () => {
    const files = new PipelineFiles([writeFiles(WHOLE), '/no/such/folder']);
    const failure = await failureOf(() => files.pipeline('dmeo'));
    expect(failure).toMatchObject({ code: 'pipeline.not-found', details: { known: ['demo'] } });
    expect(failure.message).toContain('did you mean "demo"');
  });

  test('of one name in several files are refused, with the files', async () => {
    const root = writeFiles({ ...WHOLE, 'copy.yaml': PIPELINE });
    const failure = await failureOf(() => new PipelineFiles([root]).pipeline('demo'));
    expect(failure).toMatchObject({ code: 'pipeline.ambiguous', details: { files: [join(root, 'copy.yaml'), join(root, 'demo.yaml')] } });
  });

  test('are not ambiguous because a folder is named twice', async () => {
    const root = writeFiles(WHOLE);
    const alias = join(writeFiles({}), 'alias');
    symlinkSync(root, alias);
    expect((await new PipelineFiles([root, alias, root]).pipeline('demo')).plan.name).toBe('demo');
  });

  test('with mistakes are found, and the mistakes reported', async () => {
    const root = writeFiles({ 'demo.yaml': 'name: demo\nsteps:\n  - id: bull\n    agent: nobody\n    tpye: x\n' });
    const failure = await failureOf(() => new PipelineFiles([root]).pipeline('demo'));
    expect(failure.code).toBe('pipeline.invalid');
    expect((failure.details as { diagnostics: unknown[] }).diagnostics).toHaveLength(2);
  });

  test('may not name files outside their folder, nor by a link', async () => {
    const outside = writeFiles({ 'bull.yaml': AGENT });
    const root = writeFiles({ 'demo.yaml': PIPELINE, 'agents/.keep': '' });
    symlinkSync(join(outside, 'bull.yaml'), join(root, 'agents', 'bull.yaml'));
    expect((await failureOf(() => new PipelineFiles([root]).pipeline('demo'))).code).toBe('pipeline.invalid');
  });

  test('may have their files behind links that stay in the folder', async () => {
    const root = writeFiles({ 'demo.yaml': PIPELINE, 'data/bull.yaml': AGENT, 'agents/.keep': '' });
    symlinkSync(join(root, 'data', 'bull.yaml'), join(root, 'agents', 'bull.yaml'));
    expect((await new PipelineFiles([root]).pipeline('demo')).plan.name).toBe('demo');
  });

  test.each([
    ['name: demo\nsteps: []', 'demo'],
    ['# c\nname: "demo" # x\r\nsteps:\n', 'demo'],
    ["steps: []\nname: 'a b'", 'a b'],
    ['{name: demo, steps: []}', 'demo'],
    ['name: crew\nmembers: []', 'crew'],
    ['{name: crew, lead: {agent: chief}}', 'crew'],
    ['name: demo\nservices: {}', undefined],
    ['{ broken', undefined],
    ['', undefined],
  ])('have the name that %j gives', (text, name) => {
    expect(readName(text)).toBe(name);
  });
});

describe('scripts next to a pipeline', () => {
  const BASE = 'description: all goes well\nreplies:\n  bull:\n    - text: up\npeople: []\n';

  test('are read, and read again as they were stored', async () => {
    const files = new PipelineFiles([writeFiles({ ...WHOLE, 'scripts/base.yaml': BASE })]);
    const { text, script } = await files.script('demo', 'base');
    expect(script).toMatchObject({ name: 'base', replies: { bull: [{ reply: { kind: 'text', text: 'up' } }] } });
    expect(files.readScript('base', text)).toEqual(script);
    expect(files.readScript('base', BASE)).toEqual(script);
  });

  test('take over from the script they extend what they do not give', async () => {
    const pipeline = `${PIPELINE}  - id: bear\n    agent: bull\n`;
    const files = new PipelineFiles([
      writeFiles({
        ...WHOLE,
        'demo.yaml': pipeline,
        'scripts/base.yaml': `replies:\n  bull:\n    - text: up\n  bear:\n    - text: down\n`,
        'scripts/middle.yaml': 'extends: base\nreplies:\n  bear:\n    - text: sideways\n',
        'scripts/top.yaml': 'extends: middle\n',
      }),
    ]);
    const { script } = await files.script('demo', 'top');
    expect(script).toMatchObject({ name: 'top', replies: { bull: [{ reply: { text: 'up' } }], bear: [{ reply: { text: 'sideways' } }] } });
  });

  test.each<[string, string, Record<string, string>]>([
    ['script.not-found', 'bsae', { base: BASE }],
    ['script.not-found', '../demo', { base: BASE }],
    ['script.not-found', 'top', { top: 'extends: nowhere\n' }],
    ['script.invalid', 'a', { a: 'extends: b\n', b: 'extends: a\n' }],
    ['script.invalid', 'a', { a: 'replies: 7\n' }],
    ['script.invalid', 'a', { a: 'replies:\n  nobody:\n    - text: x\n' }],
  ])('fail with %s for %s', async (code, name, scripts) => {
    const files = Object.fromEntries(Object.entries(scripts).map(([script, text]) => [`scripts/${script}.yaml`, text]));
    expect((await failureOf(() => new PipelineFiles([writeFiles({ ...WHOLE, ...files })]).script('demo', name))).code).toBe(code);
  });

  test('that were stored damaged do not read', async () => {
    const files = new PipelineFiles([writeFiles(WHOLE)]);
    for (const text of ['{"name": "x"', '{"name": "x", "replies": [], "people": []}', 'extends: base\n']) {
      expect((await failureOf(async () => files.readScript('x', text))).code).toBe('script.invalid');
    }
  });
});
