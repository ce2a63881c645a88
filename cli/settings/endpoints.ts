import { type EndpointSpec, isSecretHeader, isServiceAddress } from '../../plan/agents/adapter';
import { isSecretReference } from '../../plan/run/args';
import { setField } from '../../plan/text/json';
import { type Fields, mapping, type Reader, refuse, refuseKey, secret, text } from './fields';

/** Settings of a service: its address and its credentials. */

export const ENDPOINT_KEYS = ['key', 'base_url', 'headers', 'model'] as const;

export function endpoint(kind: EndpointSpec['kind'], fields: Fields): EndpointSpec {
  const spec: EndpointSpec = { kind };
  const [key, baseUrl] = [fields.take('key', secret), fields.take('base_url', serviceUrl)];
  const [named, model] = [fields.take('headers', headers), fields.take('model', text)];
  if (key !== undefined) spec.key = key;
  if (baseUrl !== undefined) spec.baseUrl = baseUrl;
  if (named) spec.headers = named;
  if (model !== undefined) spec.model = model;
  return spec;
}

/** A URL without a slash at the end. */
const serviceUrl: Reader<string> = (value, name, problems) => {
  if (typeof value === 'string' && isServiceAddress(value)) return value.replace(/\/+$/, '');
  refuse(problems, name, `"${name}" must be an address such as https://example.org/v1, without a user, a password or a "?"`);
  return undefined;
};

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const OURS = ['content-type', 'content-length', 'host', 'connection', 'transfer-encoding', 'accept', 'idempotency-key'];

/** Headers by name. A credential must be a reference: it does not belong in this file. */
export const headers: Reader<Record<string, string>> = (value, name, problems) => {
  const found: Record<string, string> = {};
  for (const [header, content] of Object.entries(mapping(value, name, problems) ?? {})) {
    const path = `${name}.${header}`;
    if (!HEADER_NAME.test(header)) refuseKey(problems, path, `"${path}": "${header}" is not a valid header name`);
    else if (OURS.includes(header.toLowerCase())) refuseKey(problems, path, `"${path}" cannot be set: Thermidor sets it itself`);
    else {
      const read = (isSecretHeader(header) ? secret : headerText)(content, path, problems);
      if (read !== undefined) setField(found, header, read);
    }
  }
  return found;
};

const headerText: Reader<string> = (value, name, problems) => {
  const read = text(value, name, problems);
  if (read === undefined || isSecretReference(read) || /^[\t\x20-\x7e]+$/.test(read)) return read;
  refuse(problems, name, `"${name}" must be one line of plain characters`);
  return undefined;
};
