import { z } from 'zod';
import { isJsonObject, type Json } from '../plan/text/json';

/**
 * Words for schemas of JSON that others write: services, programs, other versions of ourselves. They are lenient: a part of another type
 * than documented counts as absent, and nothing that such a schema reads is ever refused.
 *
 * zod takes 50 ms to load, so the modules that commands start with import neither it nor this file (`test/layers/`).
 */
export const text = z.string().optional().catch(undefined);
/** Finite. */
export const number = z.number().optional().catch(undefined);
/** Whether it is literally `true`. */
export const flag = z.literal(true).optional().catch(undefined);
/** Any value, unread. Items of a list are there, fields of an object need not be. */
export const item = z.custom<Json>();
export const json = item.optional();

/** An object with some known fields. Anything else counts as an object without any. */
export function fields<T extends z.ZodRawShape>(shape: T) {
  return z.preprocess((value) => (isJsonObject(value) ? value : {}), z.object(shape));
}

/** An object with some known fields. Anything else counts as absent. */
export function optionalFields<T extends z.ZodRawShape>(shape: T) {
  return z.object(shape).optional().catch(undefined);
}

export function listOf<T extends z.ZodType>(of: T) {
  return z.preprocess((value) => (Array.isArray(value) ? value : []), z.array(of));
}

export function mapOf<T extends z.ZodType>(of: T) {
  return z.preprocess((value) => (isJsonObject(value) ? value : {}), z.record(z.string(), of));
}
