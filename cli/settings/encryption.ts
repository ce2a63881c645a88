import { defined } from '../../plan/defined';
import type { CodecSpec, EncryptionSpec } from '../../plan/run/services';
import { isKeyId } from '../../records/sealing/key-ring';
import { must, named, type Reader, record, refuse, refuseKey, secret, text } from './fields';

/** `encryption: {keys, use, folder, codec}`; `keys` and `use` are required. */
export const encryption: Reader<EncryptionSpec> = (value, name, problems) => {
  const before = problems.length;
  const { keys, use, folder, codec } = ENCRYPTION(value, name, problems) ?? {};
  if (problems.length > before) return undefined;
  if (keys === undefined || use === undefined) {
    refuseKey(problems, name, `"${name}" needs both "keys" and "use"`, KEYS_HINT);
    return undefined;
  }
  const ids = Object.keys(keys);
  if (ids.length === 0) refuseKey(problems, `${name}.keys`, `"${name}.keys" has no key`, KEYS_HINT);
  else if (!ids.includes(use)) refuse(problems, `${name}.use`, `"${name}.use" names no key of "${name}.keys"`, `known: ${ids.join(', ')}`);
  return problems.length > before ? undefined : { keys, use, ...defined({ folder, codec }) };
};

const KEYS_HINT = 'write keys: { k1: secret://env/THERMIDOR_K1 } and use: k1';

const listOfTexts: Reader<string[]> = must('a list of texts', (value) =>
  Array.isArray(value) && value.length > 0 && value.every((item): item is string => typeof item === 'string') ? value : undefined,
);

/** As browsers send it: no path, and no slash at the end. */
const origins: Reader<string[]> = must('a list of addresses such as https://temporal.example.org, without a path', (value) =>
  Array.isArray(value) &&
  value.every((item): item is string => typeof item === 'string' && URL.canParse(item) && new URL(item).origin === item)
    ? value
    : undefined,
);

const CODEC = record({ people: listOfTexts, origins });

const codec: Reader<CodecSpec> = (value, name, problems) => {
  const before = problems.length;
  const { people, origins } = CODEC(value, name, problems) ?? {};
  if (people !== undefined) return { people, ...defined({ origins }) };
  if (problems.length === before) refuseKey(problems, name, `"${name}" needs "people": who may read what is sealed`);
  return undefined;
};

const ENCRYPTION = record({
  keys: named((value, path, problems, id) => {
    if (isKeyId(id)) return secret(value, path, problems);
    refuseKey(problems, path, `the id of a key has letters, digits, _ and -, at most 64, and "${id.slice(0, 80)}" has others`);
    return undefined;
  }),
  use: text,
  folder: must('true or false', (value) => (typeof value === 'boolean' ? value : undefined)),
  codec,
});
