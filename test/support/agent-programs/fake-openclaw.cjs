#!/usr/bin/env node
/** Speaks as `openclaw agent --local --json` does: one document at the end, and one or two lines before it. */
const { counts, fail, flag, out, plus, rawText, run } = require('./played.cjs');

const session = flag('--session-id');
const tools = [];

run({
  ...{ stdin: '', prompt: flag('--message') ?? '', session, own: session },
  words(kind, { retryAfterMs }) {
    const when = retryAfterMs === undefined ? '' : ` Retry after ${retryAfterMs / 1000}s`;
    if (kind === 'unauthorized') fail('Error: No API key found for provider "anthropic".');
    if (kind === 'overloaded') fail(`FailoverError: API rate limit reached.${when}`);
    if (kind === 'refused') fail('the provider stopped it: content_filter');
    if (kind === 'context') {
      out(JSON.stringify({ payloads: [], meta: { durationMs: 1, error: { kind: 'context_overflow', message: 'too much' } } }, null, 2));
      process.exit(0);
    }
    fail('something broke');
  },
  begin: () => out('[plugins] loaded\n'),
  reply({ calls = [] }) {
    tools.push(...calls.map(({ tool }) => tool));
  },
  end(reply, used) {
    const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    for (const { inputTokens, outputTokens, cacheRead, cacheWrite } of used.map(counts)) {
      usage.input = plus(usage.input, inputTokens);
      usage.output = plus(usage.output, outputTokens);
      usage.cacheRead = plus(usage.cacheRead, cacheRead);
      usage.cacheWrite = plus(usage.cacheWrite, cacheWrite);
    }
    const agentMeta = { sessionId: session, provider: 'fake', model: reply.model ?? flag('--model') ?? 'openclaw-fake', usage };
    const summary = tools.length > 0 ? { toolSummary: { calls: tools.length, tools: [...new Set(tools)] } } : {};
    const document = { payloads: [{ text: reply.text ?? '', mediaUrl: null }], meta: { durationMs: 1, agentMeta, ...summary } };
    out(rawText(`${JSON.stringify(document, null, 2)}\n`, reply.raw));
  },
});
