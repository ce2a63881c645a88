#!/usr/bin/env node
/** Speaks as `gemini --output-format stream-json` does: replies come in pieces. */
const { counts, fail, flag, out, plus, rawText, readStdin, run, say } = require('./played.cjs');

const stdin = readStdin();
const model = flag('--model') ?? 'gemini-fake';
const now = () => ({ timestamp: new Date().toISOString() });

function failed(message, code = 1) {
  say({ type: 'result', ...now(), status: 'error', error: { type: 'Error', message } });
  process.exit(code);
}

run({
  ...{ stdin, prompt: stdin, session: flag('--resume') },
  words(kind, { retryAfterMs }) {
    if (kind === 'unknown-session') fail(`Error resuming session: Invalid session identifier "${flag('--resume')}".`, 42);
    if (kind === 'unauthorized') failed('Please set an Auth method', 41);
    if (kind === 'context') failed('The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).');
    if (kind === 'refused') failed('the response was blocked: PROHIBITED_CONTENT');
    const when = retryAfterMs === undefined ? '' : ` Please retry in ${retryAfterMs / 1000}s.`;
    if (kind === 'overloaded') failed(`[429] RESOURCE_EXHAUSTED.${when}`);
    failed('something broke');
  },
  begin(session_id) {
    say({ type: 'init', ...now(), session_id, model });
    say({ type: 'message', ...now(), role: 'user', content: stdin.slice(0, 100) });
  },
  reply({ text = '', calls = [], raw }, n, work) {
    const half = Math.ceil(text.length / 2);
    for (const content of [text.slice(0, half), text.slice(half)].filter(Boolean))
      out(rawText(`${JSON.stringify({ type: 'message', ...now(), role: 'assistant', content, delta: true })}\n`, raw));
    for (const [i, { tool, args }] of calls.entries())
      say({ type: 'tool_use', ...now(), tool_name: tool, tool_id: `${tool}-${n}-${i}`, parameters: args });
    work();
    for (const [i, { tool, result = 'done', failed: bad }] of calls.entries()) {
      const said = bad ? { status: 'error', error: { type: 'tool', message: result } } : { status: 'success', output: result };
      say({ type: 'tool_result', ...now(), tool_id: `${tool}-${n}-${i}`, ...said });
    }
  },
  end(_reply, used) {
    const stats = { total_tokens: 0, input_tokens: 0, output_tokens: 0, cached: 0, input: 0, duration_ms: 1, tool_calls: 0 };
    for (const { inputTokens, outputTokens, cacheRead } of used.map(counts)) {
      stats.input_tokens = plus(stats.input_tokens, inputTokens, cacheRead);
      stats.cached = plus(stats.cached, cacheRead);
      stats.output_tokens = plus(stats.output_tokens, outputTokens);
    }
    say({ type: 'result', ...now(), status: 'success', stats });
  },
});
