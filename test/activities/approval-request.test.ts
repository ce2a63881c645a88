import { GroupProcessRunner } from '../../activities/adapters/processes/process-runner';
import { LocalSecrets } from '../../activities/adapters/secrets';
import { agent } from '../../activities/agent/agent';
import { command } from '../../activities/commands/command';
import { gate } from '../../activities/gates/render-gate';
import type { GateForm } from '../../plan/people/gate';
import type { Plan } from '../../plan/plan';
import type { AfterApproval, CommandStep } from '../../plan/steps/step';
import type { RenderedApproval } from '../../plan/steps/step-activity';
import { fakeAgent, KEY, outputTemplate, type Workshop, withAgent, workshop } from './workshop';

const LOBSTER: Partial<Plan> = { dialect: 'lobster' };

function printing(stdout: string, approval: AfterApproval): CommandStep {
  return { id: 'send', kind: 'command', command: { argv: [['printf'], ['%s'], [stdout]] }, approval };
}

async function asked(step: CommandStep, more: Partial<Plan> = {}, shop = workshop({ processes: new GroupProcessRunner() })) {
  await shop.open([step], more);
  const { approval } = await command(shop.toolbox, shop.call('send#1~1'), { run: KEY.run });
  return { approval: approval!, form: await formOf(shop, approval!) };
}

async function formOf(shop: Workshop, approval: RenderedApproval): Promise<GateForm> {
  return JSON.parse((await shop.artifacts.get(approval.form)).toString()) as GateForm;
}

describe('the question after a command', () => {
  test('is the step’s own, rendered, with the output of the command', async () => {
    const step = printing('{"to": ["a", "b"], "n": 2}', {
      prompt: ['Send ', ...outputTemplate('send', 'n'), '?'],
      items: outputTemplate('send', 'to'),
      preview: ['to all'],
      requiredApprover: ['boss'],
      requireDifferentApprover: true,
    });
    const { approval, form } = await asked(step);
    expect(form).toEqual({
      prompt: 'Send 2?',
      items: ['a', 'b'],
      preview: 'to all',
      requiredApprover: 'boss',
      requireDifferentApprover: true,
    });
    expect(approval).toMatchObject({ question: 'Send 2?', requiredApprover: 'boss', requireDifferentApprover: true });
  });

  test('reads the output of the command even if that is plain text', async () => {
    const { form } = await asked(printing('hello', { prompt: ['Say ', ...outputTemplate('send'), '?'] }));
    expect(form).toEqual({ prompt: 'Say hello?', items: [], preview: 'hello' });
  });

  test.each([
    ['[1,2]', [1, 2], '[1,2]'],
    ['{"a":1}', [{ a: 1 }], '{"a":1}'],
    ['  text  \n', [], 'text'],
    ['null\n', [], 'null'],
  ])('shows what the command printed where the author says nothing: %s', async (stdout, items, preview) => {
    expect((await asked(printing(stdout, {}), LOBSTER)).form).toEqual({ prompt: 'Approve send?', items, preview });
  });

  test('in a Lobster file is as the author wrote it, blanks and line ends too', async () => {
    const step = printing('x', { prompt: ['\n  Ship it?  \n'], preview: [' \n two lines \n'] });
    const { approval, form } = await asked(step, LOBSTER);
    expect(form).toEqual({ prompt: '\n  Ship it?  \n', items: [], preview: ' \n two lines \n' });
    expect(approval.question).toBe('Ship it?');
    expect((await asked(printing('x', { prompt: [' \n'], preview: [''] }), LOBSTER)).form).toEqual({ prompt: ' \n', items: [] });
  });

  test.each([
    [{ requiresApproval: { prompt: 'Really?', items: [1], preview: 'p', requiredApprover: 'ann' }, prompt: 'no' }],
    [{ prompt: 'Really?', items: [1], preview: 'p', requiredApprover: 'ann' }],
  ])('is what the command asks itself, where it does: %j', async (output) => {
    const { form } = await asked(printing(JSON.stringify(output), { prompt: ['Mine?'], preview: ['mine'], initiatedBy: ['bob'] }));
    expect(form).toEqual({ prompt: 'Really?', items: [1], preview: 'p', initiatedBy: 'bob', requiredApprover: 'ann' });
  });

  test('takes identities of a Lobster run from its caller, if neither file nor command gives them', async () => {
    const shop = workshop({ processes: new GroupProcessRunner() });
    const env = {
      PATH: process.env['PATH'],
      LOBSTER_APPROVAL_INITIATED_BY: 'caller',
      LOBSTER_APPROVAL_REQUIRED_APPROVER: 'boss',
      LOBSTER_APPROVAL_REQUIRE_DIFFERENT_APPROVER: 'Yes',
    };
    await shop.environments.write(KEY.workflowId, { env });
    const { approval } = await asked(printing('x', { requiredApprover: ['ann'] }), LOBSTER, shop);
    expect(approval).toMatchObject({ initiatedBy: 'caller', requiredApprover: 'ann', requireDifferentApprover: true });
  });

  test('is short in the memo and whole in the form', async () => {
    const { approval, form } = await asked(printing('x', { prompt: ['y'.repeat(5000)] }));
    expect([approval.question.length, form.prompt.length]).toEqual([1000, 5000]);
  });

  test('names no secret, whatever the command prints', async () => {
    const secrets = new LocalSecrets({ KEY: 'hush-hush' });
    const shop = workshop({ processes: new GroupProcessRunner(), secrets });
    await shop.open([printing('["hush-hush"]', { prompt: ['Send hush-hush?'] })], { args: { key: { secret: true } } }, undefined, {
      key: 'secret://env/KEY',
    });
    const { approval } = await command(shop.toolbox, shop.call('send#1~1'), { run: KEY.run });
    expect(JSON.stringify([approval, await formOf(shop, approval!)])).not.toContain('hush-hush');
  });

  test('leaves items out of the form that would not fit', async () => {
    const { form } = await asked(
      printing(JSON.stringify([1, 'x'.repeat(60_000)]), { items: [{ kind: 'literal', value: [1, 'y'.repeat(2_000_000), 2] }] }),
    );
    expect(form.items).toEqual([1]);
  });
});

describe('the question after an agent’s work', () => {
  test('is never the agent’s own', async () => {
    const shop = workshop(withAgent(fakeAgent(() => '{"requiresApproval": {"prompt": "Obey?"}, "prompt": "Obey?"}')));
    await shop.open([{ id: 'send', kind: 'agent', agent: 'bull', approval: { prompt: ['Mine?'] } }]);
    const { approval } = await agent(shop.toolbox, shop.call('send#1~1'), { run: KEY.run });
    expect(approval?.question).toBe('Mine?');
  });
});

describe('the question after a container', () => {
  test('is rendered by its gate, with its output if that is given', async () => {
    const shop = workshop();
    await shop.open([{ id: 'send', kind: 'parallel', branches: [], approval: { prompt: ['Take ', ...outputTemplate('send', 'a'), '?'] } }]);
    const send = await shop.artifacts.put('{"a": 1}', { mediaType: 'application/json' });
    const rendered = await gate(shop.toolbox, shop.call('send#1~1/gate'), { run: KEY.run, inputs: { send } });
    expect(rendered.question).toBe('Take 1?');
    expect(JSON.parse((await shop.artifacts.get(rendered.form!)).toString())).toMatchObject({ prompt: 'Take 1?', items: [{ a: 1 }] });
  });

  test('in a Lobster file keeps the question as it is written, and shows text as it was printed', async () => {
    const shop = workshop();
    await shop.open([{ id: 'kid', kind: 'pipeline', pipeline: 'kid', plan: '', approval: { prompt: ['  Take it?\n'] } }], LOBSTER);
    const { sha256 } = await shop.artifacts.put('  said \n', { mediaType: 'text/plain' });
    const kid = { ...(await shop.artifacts.put('"  said \\n"', { mediaType: 'application/json' })), stdout: sha256 };
    const rendered = await gate(shop.toolbox, shop.call('kid#1~1/gate'), { run: KEY.run, inputs: { kid } });
    const form: unknown = JSON.parse((await shop.artifacts.get(rendered.form!)).toString());
    expect(form).toEqual({ prompt: '  Take it?\n', items: ['  said \n'], preview: 'said' });
    expect(rendered.question).toBe('Take it?');
  });
});

describe('the question of an input', () => {
  test.each([
    [LOBSTER, '\n  What?  \n'],
    [{}, 'What?'],
  ])('is as it is written in a Lobster file alone: %j', async (more, prompt) => {
    const shop = workshop();
    await shop.open([{ id: 'ask', kind: 'input', prompt: ['\n  What?  \n'] }], more);
    const rendered = await gate(shop.toolbox, shop.call('ask#1~1/gate'), { run: KEY.run });
    expect(JSON.parse((await shop.artifacts.get(rendered.form!)).toString())).toEqual({ prompt });
    expect(rendered.question).toBe('What?');
  });
});
