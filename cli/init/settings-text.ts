import { EXAMPLE_MODELS, EXAMPLE_PRICES } from '../../plan/agents/example-models';

const HEAD = `# Settings of this folder; \`thermidor doctor\` shows the source of each value, and what is missing.
# A line without a space after its # is a setting: remove the # to use it.
pipelines: [pipelines]
`;

/** Parts by the key that each begins with: a part is left out if the pipeline brings settings of its own for that key. */
const PARTS: Readonly<Record<string, (pipeline: string) => string>> = {
  address: () => `# A Temporal server of your own; without one, an embedded server keeps its state in .thermidor/.
#address: localhost:7233
#namespace: default
`,
  adapters: (
    pipeline,
  ) => `# Going live: \`thermidor run ${pipeline} --live\` calls real models instead of the script. Agents use \`anthropic\` unless they or
# default_adapter say otherwise, with the key in ANTHROPIC_API_KEY; \`openai\` takes OPENAI_API_KEY; claude, codex, gemini and openclaw are
# programs that you have installed. Never put keys in this file: \`key\` refers to one.
#default_adapter: anthropic
#adapters:
#  anthropic:
#    key: secret://env/ANTHROPIC_API_KEY
#    model: ${EXAMPLE_MODELS.usual} # for agents that name none
#  local: # any server of the chat completions API, such as Ollama or vLLM
#    kind: openai
#    base_url: http://127.0.0.1:11434/v1
#    model: qwen3
`,
  models: () => `# Names for models by their use: an agent sets \`model: fast\`, and this file defines it.
#models:
#  fast: ${EXAMPLE_MODELS.fast}
#  deep: {adapter: local, model: qwen3}
`,
  people: () => `# Who decides, and where they are asked: they decide at the channel's gates that name no approvers.
#people:
#  chairman: {discord: "123456789012345678", token: secret://env/CHAIRMAN_TOKEN}
#channels:
#  "#approvals": {approvers: [chairman], mention: "@chairman", discord: secret://env/DISCORD_APPROVALS}
`,
  prices: () => `# Prices of models, in US dollars per million tokens, for the cost of runs and for budgets in dollars. Look them up
# where your service lists its prices, and note the day: the cost of an unlisted model is unknown, never zero.
#prices:
#  as_of: ${EXAMPLE_PRICES.asOf}
#  models:
#    ${EXAMPLE_MODELS.usual}: ${EXAMPLE_PRICES.usual}
#    ${EXAMPLE_MODELS.fast}: ${EXAMPLE_PRICES.fast}
#    qwen3: {input: 0, output: 0}
`,
};

/**
 * The settings of a new folder. Removing the `#` from a line that has no space after it gives a setting; all of them together are valid.
 */
export function settingsText(pipeline: string, own?: string): string {
  const parts = Object.entries(PARTS).flatMap(([key, text]) => (own !== undefined && has(own, key) ? [] : [text(pipeline)]));
  return [HEAD, ...parts, ...(own === undefined ? [] : [own])].join('\n');
}

function has(text: string, key: string): boolean {
  return text.split('\n').some((line) => line.startsWith(`${key}:`));
}
