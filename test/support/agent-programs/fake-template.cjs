#!/usr/bin/env node
/**
 * A user's own program. It prints the reply as plain text, or with `--json` in a document. With `--argument` the prompt is its last
 * argument. It has no sessions and does not report tools.
 */
const { counts, fail, out, play, plus, rawText, readStdin, run } = require('./played.cjs');

const words = process.argv.slice(2);
const json = words.includes('--json');
const stdin = words.includes('--argument') ? '' : readStdin();

run({
  ...{ stdin, prompt: words.includes('--argument') ? (words.at(-1) ?? '') : stdin },
  words(kind, { retryAfterMs }) {
    const when = retryAfterMs === undefined ? '' : `; retry-after: ${retryAfterMs / 1000}`;
    if (kind === 'overloaded') fail(`429 Too Many Requests${when}`);
    if (kind === 'unauthorized') fail('401 Unauthorized');
    if (kind === 'context') fail('context_length_exceeded');
    if (kind === 'refused') fail('content_filter');
    fail('something broke');
  },
  begin: () => undefined,
  reply: () => undefined,
  end(reply, used) {
    if (!json) return out(rawText(`${reply.text ?? ''}\n`, reply.raw));
    const usage = { input_tokens: 0, output_tokens: 0 };
    for (const { inputTokens, outputTokens } of used.map(counts)) {
      usage.input_tokens = plus(usage.input_tokens, inputTokens);
      usage.output_tokens = plus(usage.output_tokens, outputTokens);
    }
    const cost = play.costUsd === undefined ? {} : { cost_usd: play.costUsd };
    return out(rawText(`${JSON.stringify({ result: reply.text, model: reply.model ?? 'template-fake', usage, ...cost })}\n`, reply.raw));
  },
});
