import { EXAMPLE_MODELS, EXAMPLE_PRICES } from '../plan/example-models';

/** Of a new folder. Take the `#` from a line that has no space behind it, and it is a setting; all of them together are valid. */
const SETTINGS = `# Settings of this folder; \`thermidor doctor\` shows where each value comes from, and what is missing.
# A line with no space behind its # is a setting: take the # away, and it holds.
pipelines: [pipelines]

# A Temporal server of your own; without one, an embedded server keeps its state in .thermidor/.
#address: localhost:7233
#namespace: default

# Going live: \`thermidor run hello --live\` asks real models in place of the script. Agents are run by \`anthropic\` unless they or
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

# Names for models by their use: an agent says \`model: fast\`, and what that means is changed here.
#models:
#  fast: ${EXAMPLE_MODELS.fast}
#  deep: {adapter: local, model: qwen3}

# What models cost, in US dollars per million tokens, so that runs can tell what they cost and budgets can be in dollars. Look them up
# where your service lists its prices, and write down the day: a model that is not listed costs an unknown amount, never nothing.
#prices:
#  as_of: ${EXAMPLE_PRICES.asOf}
#  models:
#    ${EXAMPLE_MODELS.usual}: ${EXAMPLE_PRICES.usual}
#    ${EXAMPLE_MODELS.fast}: ${EXAMPLE_PRICES.fast}
#    qwen3: {input: 0, output: 0}
`;

/** What `thermidor init` writes: the smallest folder that shows an agent, a schema, a person and a script. */
export const WORKING_FOLDER: Readonly<Record<string, string>> = {
  'pipelines/hello.yaml': `name: hello
description: A writer greets someone, a person approves, a command prints the greeting.
owner: writer

args:
  who:
    type: string
    default: world

steps:
  - id: greet
    agent: writer
    prompt: Write a greeting for \${args.who}.
    output: Greeting.json

  - id: approve
    type: approval
    prompt: "Send this? \${greet.text}"
    show: [greet]

  - id: send
    run: echo \${greet.text}
`,
  'pipelines/agents/writer.yaml': `title: Writer
model: ${EXAMPLE_MODELS.fast}
role: |
  You write short, friendly texts. Answer with one JSON object and nothing else.
`,
  'pipelines/schemas/Greeting.schema.json': `${JSON.stringify(
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      title: 'Greeting',
      type: 'object',
      required: ['text', 'summary'],
      additionalProperties: false,
      properties: {
        text: { type: 'string', minLength: 1, description: 'The greeting itself.' },
        summary: { type: 'string', description: 'What kind of greeting it is.' },
      },
    },
    null,
    2,
  )}
`,
  'pipelines/scripts/hello.yaml': `description: The writer answers at once, and so does the person.
replies:
  greet:
    - after: 300ms
      json: {text: "Hello, world!", summary: "A plain greeting."}
people:
  - gate: approve
    after: 500ms
    approve: {by: editor, comment: "Friendly enough."}
`,
  'pipelines/hello.test.yaml': `# thermidor test
script: hello
commands:
  send: { stdout: "Hello, world!" }

tests:
  - name: sends what was approved
    expect:
      status: completed
      steps: { approve: { decision: approve }, send: { command: 'echo "Hello, world!"' } }

  - name: sends nothing that was rejected
    people:
      - { gate: approve, after: 2h, reject: { by: editor } }
    expect: { status: rejected, steps: { send: pending } }
`,
  'thermidor.yaml': SETTINGS,
  '.gitignore': `.thermidor/
`,
};

/** To be typed in the new folder, in this order. */
export const FIRST_COMMANDS: readonly string[] = [
  'thermidor validate pipelines/hello.yaml',
  'thermidor run hello --script hello',
  'thermidor list',
];
