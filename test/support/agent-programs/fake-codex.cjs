#!/usr/bin/env node
/**
 * Speaks as `codex exec --json` and `codex exec resume` do, and counts usage by session. Its tools are `command_execution`, `file_change`
 * and `web_search`.
 */
const { counts, fail, out, plus, rawText, readStdin, run, say } = require('./played.cjs');

const words = process.argv.slice(2);
const stdin = words.at(-1) === '-' ? readStdin() : '';
const resumed = words.indexOf('resume');
const session = resumed < 0 ? undefined : words[resumed + 1];
let items = 0;

function failed(message) {
  say({ type: 'error', message });
  say({ type: 'turn.failed', error: { message } });
  process.exit(1);
}

run({
  ...{ stdin, prompt: stdin, session },
  words(kind, { retryAfterMs }) {
    if (kind === 'unknown-session')
      fail(`Error: thread/resume: thread/resume failed: no rollout found for thread id ${session} (code -32600)`);
    if (kind === 'unauthorized') failed('unexpected status 401 Unauthorized');
    if (kind === 'context') failed('Codex ran out of room in the model’s context window. Start a new thread.');
    if (kind === 'refused') failed('the response was stopped by content_filter');
    const when = retryAfterMs === undefined ? '' : ` Please try again in ${retryAfterMs / 1000}s.`;
    if (kind === 'overloaded') failed(`exceeded retry limit, last status: 429 Too Many Requests.${when}`);
    failed('something broke');
  },
  begin(id) {
    say({ type: 'thread.started', thread_id: id });
    say({ type: 'turn.started' });
  },
  reply({ text, calls = [], raw }, _n, work) {
    say({ type: 'item.completed', item: { id: `item_${items++}`, type: 'reasoning', text: '**Thinking**' } });
    if (text)
      out(rawText(`${JSON.stringify({ type: 'item.completed', item: { id: `item_${items++}`, type: 'agent_message', text } })}\n`, raw));
    for (const { tool, args, result = 'done', failed: bad } of calls) {
      const item = { id: `item_${items++}`, type: tool, ...args };
      if (tool !== 'file_change') say({ type: 'item.started', item: { ...item, status: 'in_progress' } });
      work();
      const output = tool === 'command_execution' ? { aggregated_output: result, exit_code: bad ? 1 : 0 } : {};
      say({ type: 'item.completed', item: { ...item, ...output, status: bad ? 'failed' : 'completed' } });
    }
  },
  end(_reply, _used, used) {
    const sum = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0 };
    for (const { inputTokens, outputTokens, cacheRead } of used.map(counts)) {
      sum.input_tokens = plus(sum.input_tokens, inputTokens, cacheRead);
      sum.cached_input_tokens = plus(sum.cached_input_tokens, cacheRead);
      sum.output_tokens = plus(sum.output_tokens, outputTokens);
    }
    say({ type: 'turn.completed', usage: sum });
  },
});
