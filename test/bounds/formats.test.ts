import { fullFormats } from 'ajv-formats/dist/formats';
import { compileSchema, schemaViolation } from '../../activities/json-schema';
import { expectLinear } from './growth';

const SEEDS = [
  'a',
  'a.',
  'a@',
  '-',
  '.',
  '/',
  '%',
  '%41',
  '{a}',
  '1:',
  '::',
  '0.',
  'P1Y',
  '~0',
  'a:',
  '@',
  'A=',
  '\n',
  '(a',
  ' ',
  '=',
  'a-',
];
const BEGINNINGS = ['', 'a@', 'http://', 'a:', '/', '#/', 'P', 'http://a.', '2026-01-01T00:00:00.'];

test.each(Object.keys(fullFormats))('the format %s takes time in proportion to the text, whatever that is', (format) => {
  const validate = compileSchema({ format });
  if (typeof validate === 'string') throw new Error(validate);
  const hostile = (size: number) =>
    BEGINNINGS.flatMap((beginning) => SEEDS.map((seed) => `${beginning}${seed.repeat(Math.ceil(size / seed.length))}!\0`));
  expectLinear(hostile, (texts) => texts.map((text) => schemaViolation(validate, text)), 1000);
});
