/**
 * Every code a diagnostic can carry, permanent once released. docs/diagnostics.md is made of this list, and a test holds
 * that each code has a golden case.
 */
export const DIAGNOSTICS = {
  'yaml.syntax': 'the text is not YAML',
  'yaml.tab': 'a tab stands where YAML wants spaces',
  'yaml.control-character': 'the text holds a character that cannot be printed, such as NUL',
  'yaml.too-large': 'the file is larger than 1 MiB',
  'yaml.too-deep': 'lists and mappings are nested too deeply',
  'yaml.several-documents': 'the file holds more than one YAML document',
  'yaml.not-a-mapping': 'the file is empty, or not a mapping of keys to values',
  'yaml.duplicate-key': 'a mapping has the same key twice',
  'yaml.bad-key': 'a key of a mapping is a list, a mapping or an alias',
  'yaml.unknown-alias': 'an alias has no anchor before it',
  'yaml.alias-bomb': 'aliases would expand to far more than the file holds',
  'yaml.tag': 'a tag, such as a value that begins with `!`',
  'yaml.bad-number': 'a number that JSON does not have, such as `.nan`',
  'shape.unknown-key': 'a key that the language does not have',
  'shape.key-not-here': 'a key of the language that this kind of step does not take',
  'shape.missing-key': 'a key that is required is absent',
  'shape.conflicting-keys': 'two keys of which only one may stand',
  'shape.wrong-type': 'a value of another type than its key takes',
  'shape.unknown-value': 'a word that is none of those the key takes',
  'shape.out-of-range': 'a number outside its limits, or a list without items',
  'shape.bad-duration': 'a duration that is not written like `500ms`, `30s`, `15m`, `3h`, `2d`',
  'language.unsupported': 'a part of the language that this version cannot run yet',
  'names.invalid': 'a name with characters it may not have',
  'names.reserved': 'a name that means something else: a property of every object, or a word of the expression language',
  'names.clash': 'a step and an arg have the same name',
  'trigger.bad-cron': 'a trigger or cron expression that does not read',
  'trigger.unknown-timezone': 'a timezone that does not exist',
  'args.bad-default': 'the default or an enum value of an arg does not fit its type or enum',
  'agent.unknown': 'an agent that is named but not defined',
  'agent.missing-file': 'an agent’s file is not there',
  'agent.wrong-id': 'an agent’s `id` differs from the name of its file or key',
  'agent.cycle': 'agents report to each other in a circle',
  'schema.unknown': 'an output without a schema',
  'schema.missing-file': 'a schema’s file is not there',
  'schema.not-json': 'a schema’s file is not JSON',
  'schema.invalid': 'a schema is not a valid JSON Schema',
  'channel.not-listed': 'a channel that looks like one of `channels:` but is not',
  'step.no-kind': 'a step whose kind neither `type` nor its keys tell',
  'step.several-kinds': 'a step with the keys of several kinds',
  'step.unknown-type': 'a `type` that is no kind of step',
  'step.duplicate-id': 'two steps with one id',
  'step.unknown-agent': 'a step is given to an agent that is not defined',
  'step.not-the-owner': '`action: self` for an agent that does not own the pipeline',
  'step.no-subject': 'a review of which it is not plain what it judges',
  'step.unknown-step': 'a step names another that does not exist',
  'step.not-upstream': 'a step names another that is not upstream of it',
  'order.unknown-step': '`depends_on` names a step that does not exist',
  'order.cycle': 'steps depend on each other in a circle',
  'action.syntax': 'an action that does not read',
  'action.not-here': 'an action that this key does not take',
  'expression.syntax': 'an expression, alone or within a text, that does not read',
  'expression.too-complex': 'an expression that is nested too deeply or too long',
  'expression.unknown-name': 'a name that is neither a step nor an arg',
  'expression.unknown-function': 'a function that does not exist',
  'expression.wrong-arguments': 'a function with too few, too many or unfit arguments',
  'expression.not-upstream': 'a reference to a step that is not upstream',
  'expression.no-output': 'a reference to the output of a step that has none',
  'expression.unknown-field': 'a field that the step’s schema or record does not have',
  'expression.not-in-enum': 'a comparison with a value that the schema’s enum does not contain',
  'plan.too-large': 'the frozen plan is larger than 1 MiB',
  'script.bad-reply': 'a reply without exactly one of its outcomes, or with an unknown failure code',
  'script.bad-person': 'a person’s entry without exactly one choice, or with an unreadable gate',
  'script.unknown-step': 'a script replies for a step that does not exist or asks no agent',
  'script.unknown-gate': 'a script answers a gate that the pipeline does not have',
} as const satisfies Record<string, string>;

export type DiagnosticCode = keyof typeof DIAGNOSTICS;

/** Codes that do not keep a pipeline from running. */
const WARNINGS: ReadonlySet<DiagnosticCode> = new Set(['channel.not-listed']);

export function severityOf(code: DiagnosticCode): 'error' | 'warning' {
  return WARNINGS.has(code) ? 'warning' : 'error';
}

/** The text of docs/diagnostics.md. */
export function describeCodes(): string {
  const rows = Object.entries(DIAGNOSTICS).map(([code, doc]) => `| \`${code}\` | ${severityOf(code as DiagnosticCode)} | ${doc} |`);
  return [
    '# Diagnostics',
    '',
    'What `thermidor validate` can say about a pipeline or a script. Codes are permanent. This page is made of',
    '`compiler/diagnostics/codes.ts` by `UPDATE=1 npx jest test/compiler`; a test keeps the two the same.',
    '',
    '| code | severity | what is wrong |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
