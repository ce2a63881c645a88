import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { claudeEvents } from '../../../activities/adapters/cli-agent/claude-stream';
import type { ProgramEvent } from '../../../activities/adapters/cli-agent/preset';
import { PRESETS } from '../../../activities/adapters/cli-agent/presets';
import { lastJsonDocument, parseOutput } from '../../../activities/adapters/cli-agent/program-output';
import { templateEvents } from '../../../activities/adapters/cli-agent/template-output';
import { turnBuilder } from '../../../activities/adapters/cli-agent/turn-builder';
import type { CliPreset } from '../../../plan/agents/adapter';
import type { Json } from '../../../plan/text/json';
import type { Turn } from '../../../records/transcripts/turn';

/** Streams as the programs' documentation and sources describe them; none was recorded from a real run. */
function eventsOf(preset: CliPreset, file: string): ProgramEvent[] {
  const text = readFileSync(join(__dirname, 'streams', file), 'utf8');
  const { output } = PRESETS[preset];
  if (output.kind === 'text') return [];
  const values = output.kind === 'lines' ? text.trim().split('\n').map(parseOutput) : [lastJsonDocument(text)];
  return values.flatMap((value) => (value === undefined ? [] : output.events(value)));
}

function turnsOf(preset: CliPreset, events: readonly ProgramEvent[], cost: number | null = null): Turn[] {
  const turns: Turn[] = [];
  // The turns as the runner records them: with their price, if it is known.
  const priced = () => turns.map((turn) => (turn.usage ? { ...turn, usage: { ...turn.usage, costMicroUsd: cost } } : turn));
  const builder = turnBuilder(PRESETS[preset], new Set(), priced);
  for (const event of events) turns.push(...builder.add(event));
  const reply = builder.reply();
  return reply ? [...turns, reply] : turns;
}

describe('a stream of claude', () => {
  const turns = (cost?: number) => turnsOf('claude', eventsOf('claude', 'claude-tools.jsonl'), cost);

  test('becomes a turn for each message, whatever lines it came in, and one for each result', () => {
    const message = { program: 'claude', session: '5f1c6e0a-1111-4222-8333-444455556666' };
    const model = 'claude-sonnet-4-5-20250929';
    const [a, b] = ['a', 'b'].map((name) => ({ id: `toolu_${name}`, tool: 'read_file', args: { file_path: `/w/${name}.md` } }));
    expect(turns()).toEqual([
      { role: 'assistant', text: 'I read both.', calls: [a, b], model, message, usage: expect.anything() },
      { role: 'tool', text: 'alpha', call: a },
      { role: 'tool', text: 'File does not exist.', call: b, refused: true },
      { role: 'assistant', text: 'Only a is there: alpha.', model, message, usage: expect.anything() },
    ]);
  });

  test('has a reply that calls something as a turn before its tools are done, with all that it has used', () => {
    const message = { id: 'msg_1', model: 'm', content: [{ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'make' } }] };
    const streamed = (event: Json, parent: string | null = null) => ({ type: 'stream_event', event, parent_tool_use_id: parent });
    const lines: Json[] = [
      { type: 'assistant', message: { ...message, usage: { input_tokens: 10, output_tokens: 1, cache_read_input_tokens: 3 } } },
      streamed({ type: 'message_stop' }, 'toolu_0'),
      streamed({ type: 'message_delta', usage: { output_tokens: 20 } }),
      streamed({ type: 'message_stop' }),
    ];
    const builder = turnBuilder(PRESETS.claude, new Set(), () => []);
    const came = lines.map((line) => claudeEvents(line).flatMap((event) => builder.add(event)));
    expect(came).toEqual([
      ...[[], [], []],
      [expect.objectContaining({ calls: [{ id: 'toolu_1', tool: 'run', args: { command: 'make' } }], usage: expect.anything() })],
    ]);
    expect(came[3]?.[0]?.usage).toMatchObject({ inputTokens: 10, outputTokens: 20, cacheReadTokens: 3 });
  });

  test('holds a reply that calls nothing: it may be the last', () => {
    const builder = turnBuilder(PRESETS.claude, new Set(), () => []);
    expect(builder.add({ kind: 'said', text: 'up', message: 'msg_1' })).toEqual([]);
    expect(builder.add({ kind: 'whole' })).toEqual([]);
    expect(builder.reply()?.text).toBe('up');
  });

  test('comes to the tokens and the cost that the end says', () => {
    const used = turns(4000).flatMap(({ usage }) => (usage ? [usage] : []));
    expect(used).toEqual([
      { inputTokens: 4, outputTokens: 60, cacheReadTokens: 9000, cacheWriteTokens: 1200, costMicroUsd: null },
      // 12,500 in all; 4,000 were priced before.
      { inputTokens: 6, outputTokens: 25, cacheReadTokens: 10200, cacheWriteTokens: 80, costMicroUsd: 8500 },
    ]);
  });

  test('says with its last turn that the cost is that of those before it too, if nobody could price them', () => {
    expect(turns().at(-1)?.usage).toMatchObject({ costMicroUsd: 12_500, settles: 1 });
  });

  test('tells of a key that is refused as soon as that is known, however often it is tried again', () => {
    const { output } = PRESETS.claude;
    const retry = (error_status: number | null) => ({ type: 'system', subtype: 'api_retry', attempt: 1, max_retries: 10, error_status });
    const events = output.kind === 'lines' ? [401, 403, 529, null].map((status) => output.events(retry(status))) : [];
    const refused = { kind: 'trouble', fatal: true, code: 'model.unauthorized' };
    expect(events).toMatchObject([[refused], [refused], [], []]);
  });
});

const UNSAID = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: null };

describe('a stream of codex', () => {
  const events = eventsOf('codex', 'codex-tools.jsonl');

  test('becomes turns; what is said before the last is no reply, and its cost is reported with the last', () => {
    const message = { program: 'codex', session: '0199a213-81c0-7800-8aa1-bbab2a035a53' };
    const usage = { inputTokens: 315, outputTokens: 122, cacheReadTokens: 24448, cacheWriteTokens: 0, costMicroUsd: null };
    expect(turnsOf('codex', events)).toEqual([
      {
        role: 'assistant',
        text: 'I look into it.',
        calls: [{ id: 'item_2', tool: 'run', args: { command: 'bash -lc ls' } }],
        message,
        usage: UNSAID,
      },
      { role: 'tool', text: 'docs\nsrc\n', call: expect.objectContaining({ id: 'item_2' }) },
      { role: 'assistant', text: '', calls: [expect.objectContaining({ id: 'item_3', tool: 'edit_file' })], message, usage: UNSAID },
      { role: 'tool', text: 'completed', call: expect.objectContaining({ id: 'item_3' }) },
      { role: 'assistant', text: 'Nearly done.', stop: 'aside', message, usage: UNSAID },
      {
        ...{ role: 'assistant', text: 'It is written.', message: { ...message, counted: usage } },
        usage: { ...usage, settles: 3 },
      },
    ]);
  });

  test('may tell of troubles that end nothing', () => {
    expect(events.filter(({ kind }) => kind === 'trouble')).toEqual([{ kind: 'trouble', message: 'Reconnecting... 1/5' }]);
  });

  test('numbers its calls again each time, and they get ids of their own', () => {
    const builder = turnBuilder(PRESETS.codex, new Set(['item_2']), () => []);
    const calls = events.flatMap((event) => builder.add(event)).flatMap(({ calls = [] }) => calls.map(({ id }) => id));
    expect(calls).toEqual(['item_2-2', 'item_3']);
  });
});

describe('a stream of gemini', () => {
  test('becomes turns, its pieces joined', () => {
    const turns = turnsOf('gemini', eventsOf('gemini', 'gemini-tools.jsonl'));
    expect(turns.map(({ role, text, calls, call }) => [role, text, calls?.[0]?.tool ?? call?.tool])).toEqual([
      ['assistant', 'I will list it.', 'list_files'],
      ['tool', 'a.md', 'list_files'],
      ['assistant', '', 'read_file'],
      ['tool', 'File not found.', 'read_file'],
      ['assistant', 'There is a.md.', undefined],
    ]);
    expect(turns.at(-1)?.usage).toMatchObject({ inputTokens: 600, cacheReadTokens: 400, outputTokens: 100 });
  });
});

describe('the document of openclaw', () => {
  test('becomes turns: the tools it names, and what it says without its thoughts', () => {
    const turns = turnsOf('openclaw', eventsOf('openclaw', 'openclaw-gateway.json'));
    expect(turns.map(({ role, text, calls }) => [role, text, calls?.map(({ tool }) => tool)])).toEqual([
      ['assistant', '', ['read_file', 'run']],
      ['tool', expect.any(String), undefined],
      ['tool', expect.any(String), undefined],
      ['assistant', 'First.\n\nSecond.', undefined],
    ]);
    expect(turns.at(-1)).toMatchObject({ model: 'deepseek-chat', usage: { inputTokens: 414, outputTokens: 163, cacheReadTokens: 33280 } });
  });
});

describe('the document of a template', () => {
  const reply = (document: Json) => {
    const said = templateEvents(document).find((event) => event.kind === 'said' || event.kind === 'trouble');
    return said?.kind === 'said' ? said.text : said;
  };

  test.each<[string, Json, unknown]>([
    ['text in the first field that is there', { text: 'b', result: 'a' }, 'a'],
    ['an object in it, as JSON', { reply: { thesis: 'up' } }, '{"thesis":"up"}'],
    ['all of it, where it has none of the fields', { thesis: 'up' }, '{"thesis":"up"}'],
    ['text alone', 'up', 'up'],
    ['an error without a reply is none', { error: { message: 'no' } }, { kind: 'trouble', message: 'no', fatal: true }],
    ['nor is one that says so', { result: 'no', is_error: true }, { kind: 'trouble', message: 'no', fatal: true }],
  ])('is the reply: %s', (_, document, expected) => expect(reply(document)).toEqual(expected));

  test('tells what it used and cost, in whole millionths', () => {
    const total = templateEvents({ result: 'a', usage: { input_tokens: 3, output_tokens: 2 }, cost_usd: 0.000_012_4 }).find(
      ({ kind }) => kind === 'total',
    );
    expect(total).toMatchObject({ usage: { inputTokens: 3, outputTokens: 2, costMicroUsd: 12 } });
  });
});

describe('a kind of error', () => {
  const ofClaude = (error: string) => claudeEvents({ type: 'assistant', error, message: { id: 'msg_1', content: [] } });
  const ofOpenclaw = (kind: string) => {
    const { output } = PRESETS.openclaw;
    return output.kind === 'text' ? [] : output.events({ status: 'error', result: { meta: { error: { kind, message: kind } } } });
  };

  test('that is known gives the code', () => {
    expect(ofClaude('rate_limit')).toEqual([{ kind: 'trouble', message: 'rate_limit', code: 'model.overloaded' }]);
    expect(ofOpenclaw('context_overflow')).toEqual([expect.objectContaining({ code: 'model.context-length' })]);
  });

  test.each(['other', 'constructor', '__proto__'])('that is not known gives none: %s', (error) => {
    expect(ofClaude(error)).toEqual([{ kind: 'trouble', message: error }]);
    expect(ofOpenclaw(error)).toEqual([{ kind: 'trouble', message: error, fatal: true }]);
  });
});

describe('a document after other lines', () => {
  test.each([
    ['a log before it', '[plugins] loaded\n{\n  "a": 1\n}\n', { a: 1 }],
    ['a line of its own between others', 'start\n{"a":1}\ndone\n', { a: 1 }],
    ['none', 'nothing at all', undefined],
  ])('is found: %s', (_, text, expected) => expect(lastJsonDocument(text)).toEqual(expected));
});
