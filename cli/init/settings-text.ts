import { EXAMPLE_MODELS, EXAMPLE_PRICES } from '../../plan/example-models';

const HEAD = `# Settings of this folder; \`thermidor doctor\` shows the source of each value, and what is missing.
# A line with no space behind its # is a setting: take the # away, and it holds.
pipelines: [pipelines]
`;

/** By the key that each begins with: a part is left out where the folder's pipeline brings settings of its own for that key. */
const PARTS: Readonly<Record<string, (pipeline: string) => string>> = {
  address: () => `# A Temporal server of your own; without one, an embedded server keeps its state in .thermidor/.
#address: localhost:7233
#namespace: default
`,
  adapters: (
    pipeline,
  ) => `# Going live: \`thermidor run ${pipeline} --live\` asks real models in place of the script. Agents are run by \`anthropic\` unless they or
# default_adapter say otherwise, with the key in ANTHROPIC_API_KEY; \`openai\` takes OPENAI_API_KEY; claude, codex, gemini and openclaw are
# programs that you have installed. Keys never stand in this file: \`key\` says where one is.
#default_adapter: anthropic
#adapters:
#  anthropic:
#    key: secret://env/ANTHROPIC_API_KEY
#    model: ${EXAMPLE_MODELS.usual} # for agents that name none
#  local: # whatever speaks chat completions, such as Ollama or vLLM
#    kind: openai
#    base_url: http://127.0.0.1:11434/v1
#    model: qwen3
`,
  models: () => `# Names for models by their use: an agent says \`model: fast\`, and what that means is changed here.
#models:
#  fast: ${EXAMPLE_MODELS.fast}
#  deep: {adapter: local, model: qwen3}
`,
  people: () => `# Who decides, and where they are asked: gates in the channel that name no approvers are theirs.
#people:
#  chairman: {discord: "123456789012345678", token: secret://env/CHAIRMAN_TOKEN}
#channels:
#  "#approvals": {approvers: [chairman], mention: "@chairman", discord: secret://env/DISCORD_APPROVALS}
`,
  prices:
    () => `# What models cost, in US dollars per million tokens, so that runs can tell what they cost and budgets can be in dollars. Look them up
# where your service lists its prices, and write down the day: a model that is not listed costs an unknown amount, never nothing.
#prices:
#  as_of: ${EXAMPLE_PRICES.asOf}
#  models:
#    ${EXAMPLE_MODELS.usual}: ${EXAMPLE_PRICES.usual}
#    ${EXAMPLE_MODELS.fast}: ${EXAMPLE_PRICES.fast}
#    qwen3: {input: 0, output: 0}
`,
};

/** Of a new folder: take the `#` from a line that has no space behind it, and it is a setting; all of them together are valid. */
export function settingsText(pipeline: string, own?: string): string {
  const parts = Object.entries(PARTS).flatMap(([key, text]) => (own !== undefined && has(own, key) ? [] : [text(pipeline)]));
  return [HEAD, ...parts, ...(own === undefined ? [] : [own])].join('\n');
}

function has(text: string, key: string): boolean {
  return text.split('\n').some((line) => line.startsWith(`${key}:`));
}
