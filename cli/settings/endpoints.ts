import { type EndpointSpec, isSecretHeader, isServiceAddress } from '../../plan/agents/adapter';
import { defined } from '../../plan/defined';
import { isSecretReference } from '../../plan/run/args';
import { fitting, must, named, type Reader, record, refuseKey, secret, text, unread } from './fields';

/** Settings of a service: its address and its credentials. */

export function endpoint(kind: EndpointSpec['kind']): Reader<EndpointSpec> {
  return (value, path, problems) => {
    const { kind: _, base_url: baseUrl, ...read } = ENDPOINT(value, path, problems) ?? {};
    return { kind, ...read, ...defined({ baseUrl }) };
  };
}

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const OURS = ['content-type', 'content-length', 'host', 'connection', 'transfer-encoding', 'accept', 'idempotency-key'];

const headerText = fitting(text, 'one line of plain characters', (read) => isSecretReference(read) || /^[\t\x20-\x7e]+$/.test(read));

/** Headers by name. A credential must be a reference: it does not belong in this file. */
export const headers: Reader<Record<string, string>> = named((content, path, problems, header) => {
  if (!HEADER_NAME.test(header)) refuseKey(problems, path, `"${path}": "${header}" is not a valid header name`);
  else if (OURS.includes(header.toLowerCase())) refuseKey(problems, path, `"${path}" cannot be set: Thermidor sets it itself`);
  else return (isSecretHeader(header) ? secret : headerText)(content, path, problems);
  return undefined;
});

const ENDPOINT = record({
  kind: unread,
  key: secret,
  /** A URL without a slash at the end. */
  base_url: must('an address such as https://example.org/v1, without a user, a password or a "?"', (value) =>
    typeof value === 'string' && isServiceAddress(value) ? value.replace(/\/+$/, '') : undefined,
  ),
  headers,
  model: text,
});
