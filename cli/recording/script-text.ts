import { dump } from 'js-yaml';
import { readScript } from '../../compiler/script/read-script';
import type { Script, ScriptedCall, ScriptedPerson, ScriptedReply } from '../../plan/agents/script';
import type { Usage } from '../../plan/budgets/usage';
import { defined, ifDefined } from '../../plan/defined';
import { bug } from '../../plan/run/failure';
import { joined } from '../../plan/text/joined';
import { canonicalText, jsonText } from '../../plan/text/json-text';
import { numberAt } from '../../plan/text/spelled-json';
import { unreachable } from '../../plan/unreachable';

/**
 * A script as the text of a file: multi-line texts are left unescaped if possible. Invariant: the text was parsed again, and gave the same
 * script.
 *
 * @param about lines of the comment at the top
 */
export function recordedScriptText(script: Script, about: readonly string[]): string {
  const content = {
    ...defined({ description: script.description }),
    replies: Object.fromEntries(Object.entries(script.replies).map(([key, replies]) => [key, replies.map(replyContent)])),
    ...(script.people.length > 0 ? { people: script.people.map(personContent) } : {}),
  };
  const comment = about.map((line) => `# ${line.replace(/\s+/g, ' ').trim()}\n`).join('');
  const wanted = canonicalText(script);
  // Plainest first: YAML has words that this language reads in its own way, and JSON has none.
  const forms = [
    () => dump(content, { lineWidth: -1, noRefs: true }),
    () => dump(content, { lineWidth: -1, noRefs: true, forceQuotes: true, quoteStyle: 'double' }),
    () => `${jsonText(content, { step: '  ' })}\n`,
  ];
  const problems: string[] = [];
  for (const form of forms) {
    const text = `${comment}${form()}`;
    const { script: read, diagnostics } = readScript(`${script.name}.yaml`, text);
    if (read && canonicalText(read) === wanted) return text;
    problems.push(diagnostics[0]?.message ?? 'it reads as another script');
  }
  throw bug(`the recording cannot be written as a script: ${problems.at(-1)}`);
}

function replyContent({
  round,
  try: again,
  ask,
  iteration,
  prompt,
  calls,
  reply,
  cut,
  usage,
  afterMs,
}: ScriptedReply): Record<string, unknown> {
  return joined(
    {
      ...defined({ round, try: again, ask, prompt, iteration: iteration && (iteration.length === 1 ? iteration[0] : iteration) }),
      ...defined({ after: ifDefined(afterMs, inMs), calls: calls?.map(callContent) }),
    },
    outcomeContent(reply),
    { ...defined({ cut, usage: usage && usageContent(usage) }) },
  );
}

function callContent({ tool, args, afterMs, result }: ScriptedCall): Record<string, unknown> {
  const said = result && { [result.refused ? 'refused' : 'result']: result.text };
  return { tool, args, ...defined({ after: ifDefined(afterMs, inMs) }), ...said };
}

function outcomeContent(reply: ScriptedReply['reply']): Record<string, unknown> {
  switch (reply.kind) {
    case 'json':
      return { json: numberAt(reply, 'value') ?? reply.value };
    case 'text':
      return { text: reply.text };
    case 'hang':
      return { hang: true };
    case 'fail': {
      const { code, message, retryAfterMs } = reply;
      return { fail: { code, message, ...defined({ retry_after: ifDefined(retryAfterMs, inMs) }) } };
    }
    default:
      return unreachable(reply);
  }
}

const MICRO_USD = 1_000_000;

function usageContent({
  inputTokens,
  outputTokens,
  cacheReadTokens,
  cacheWriteTokens,
  costMicroUsd,
}: Partial<Usage>): Record<string, unknown> {
  const tokens = {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    cache_read_tokens: cacheReadTokens,
    cache_write_tokens: cacheWriteTokens,
  };
  return { ...defined(tokens), ...(typeof costMicroUsd === 'number' ? { cost_usd: costMicroUsd / MICRO_USD } : {}) };
}

function personContent(person: ScriptedPerson): Record<string, unknown> {
  const { gate, afterMs, choice, by, comment } = person;
  const words = defined({ by, comment });
  const answer = numberAt(person, 'response') ?? person.response ?? null;
  const said = choice === 'respond' ? joined({ response: answer }, words) : words;
  return { gate, ...defined({ after: ifDefined(afterMs, inMs) }), [choice]: Object.keys(said).length > 0 ? said : null };
}

function inMs(ms: number): string {
  return `${ms}ms`;
}
