#!/usr/bin/env node
/** Speaks as `claude -p --output-format stream-json --verbose --include-partial-messages` does. */
const { counts, fail, flag, out, play, plus, rawText, readStdin, run, say } = require('./played.cjs');

const stdin = readStdin();
const model = flag('--model') ?? 'claude-fake';
let session;

function usage(reply) {
  const { inputTokens, outputTokens, cacheRead, cacheWrite } = counts(reply);
  return {
    ...{ input_tokens: inputTokens, output_tokens: outputTokens },
    ...{ cache_read_input_tokens: cacheRead, cache_creation_input_tokens: cacheWrite },
  };
}

function line(value, raw) {
  out(rawText(`${JSON.stringify(value)}\n`, raw));
}

function result(more) {
  say({ type: 'result', duration_ms: 1, duration_api_ms: 1, num_turns: 1, session_id: session, permission_denials: [], ...more });
}

function apiError(error, text, status) {
  const message = { id: 'm-error', role: 'assistant', model: '<synthetic>', content: [{ type: 'text', text }] };
  say({ type: 'assistant', message, error, session_id: session });
  result({ subtype: 'success', is_error: true, result: text, api_error_status: status });
  process.exit(1);
}

run({
  ...{ stdin, prompt: stdin, session: flag('--resume'), copied: process.argv.includes('--fork-session') },
  words(kind, { retryAfterMs }) {
    if (kind === 'unknown-session') fail(`No conversation found with session ID: ${flag('--resume')}`);
    if (kind === 'unauthorized') apiError('authentication_failed', 'Invalid API key · Please run /login', 401);
    if (kind === 'context') apiError('invalid_request', 'Prompt is too long', 400);
    if (kind === 'refused') {
      result({ subtype: 'success', is_error: false, stop_reason: 'refusal', result: 'I will not.' });
      process.exit(0);
    }
    if (kind === 'overloaded') {
      const resets = retryAfterMs === undefined ? {} : { resetsAt: (Date.now() + retryAfterMs) / 1000 };
      say({ type: 'rate_limit_event', rate_limit_info: { status: 'rejected', ...resets }, session_id: session });
      apiError('rate_limit', 'API Error: Repeated 529 Overloaded errors', 529);
    }
    result({ subtype: 'error_during_execution', is_error: true, errors: ['something broke'] });
    process.exit(1);
  },
  begin(id) {
    session = id;
    const tools = (flag('--tools') ?? '').split(',').filter(Boolean);
    say({ type: 'system', subtype: 'init', cwd: process.cwd(), session_id: id, tools, mcp_servers: [], model });
  },
  reply(reply, n, work) {
    const blocks = [
      ...(reply.text ? [{ type: 'text', text: reply.text }] : []),
      ...(reply.calls ?? []).map(({ tool, args }, i) => ({ type: 'tool_use', id: `toolu_${n}_${i}`, name: tool, input: args })),
    ];
    const streamed = (event) => say({ type: 'stream_event', event, session_id: session, parent_tool_use_id: null });
    // The number of output tokens is known only at the end.
    const first = { ...usage(reply), output_tokens: 1 };
    streamed({ type: 'message_start', message: { id: `msg_${n}`, type: 'message', role: 'assistant', content: [], usage: first } });
    for (const [index, block] of blocks.entries()) {
      streamed({ type: 'content_block_start', index, content_block: { type: block.type } });
      const message = {
        id: `msg_${n}`,
        type: 'message',
        role: 'assistant',
        model: reply.model ?? model,
        content: [block],
        usage: first,
      };
      line({ type: 'assistant', message, parent_tool_use_id: null, session_id: session }, reply.raw);
      streamed({ type: 'content_block_stop', index });
    }
    streamed({ type: 'message_delta', delta: {}, usage: { output_tokens: usage(reply).output_tokens } });
    streamed({ type: 'message_stop' });
    work();
    for (const [i, { result: content = 'done', failed }] of (reply.calls ?? []).entries()) {
      const block = { type: 'tool_result', tool_use_id: `toolu_${n}_${i}`, content, ...(failed ? { is_error: true } : {}) };
      say({ type: 'user', message: { role: 'user', content: [block] }, parent_tool_use_id: null, session_id: session });
    }
  },
  end(reply, used) {
    const sum = {};
    for (const one of used) for (const [name, count] of Object.entries(usage(one))) sum[name] = plus(sum[name] ?? 0, count);
    const cost = play.costUsd === undefined ? {} : { total_cost_usd: play.costUsd };
    line(
      {
        type: 'result',
        subtype: 'success',
        is_error: false,
        num_turns: used.length,
        result: reply.text,
        session_id: session,
        usage: sum,
        ...cost,
      },
      reply.raw,
    );
  },
});
