import { isArray, isObject, type JsonObject, type JsonValue, printJson } from "../base/json.ts";
import { effectByName } from "./effects.ts";
import { label, sentence, type Written } from "./jsonSchema.ts";
import { SchemaTypes } from "./schemaTypes.ts";
import type { MethodErrorSpec, MethodSpec, ParamSpec, TypeRef } from "./spec.ts";
import { sampleOf } from "./types.ts";

/** The readable content of an OpenRPC document. */
export interface OpenrpcDocument {
  readonly methods: readonly MethodSpec[];
  /** In the order of the document; the rest holds. */
  readonly problems: readonly DocumentProblem[];
}

export interface DocumentProblem {
  /** In the document, as people write paths: `methods[3].params[0].schema`. Empty for all of it. */
  readonly path: string;
  /** A clause without a full stop. */
  readonly what: string;
}

const most = { methods: 2_000, params: 50, errors: 20, example: 2_000, problems: 100 };

/**
 * Reads an OpenRPC document. What it says of effects is not heard: those go by the method's name.
 *
 * @param value - The document, parsed.
 * @param name - What people call it; its types are called after it.
 * @see https://spec.open-rpc.org/
 */
export function openrpc(value: JsonValue | undefined, name: string): OpenrpcDocument {
  const problems = new Map<string, DocumentProblem>();
  const problem = (path: string, what: string): void => {
    if (problems.size < most.problems) problems.set(`${path}: ${what}`, { path: path.slice(0, 200), what });
  };
  const types = new SchemaTypes(value ?? null, name, problem);
  const reader: Reader = { types, problem, docs: isObject(value) ? linkIn(value) : "" };
  const methods = new Map<string, MethodSpec>();
  for (const written of writtenMethods(value, problem)) {
    const spec = methodOf(types.resolved(written), reader);
    if (spec && methods.has(spec.name)) problem(written.path, `\`${spec.name}\` is there already`);
    else if (spec) methods.set(spec.name, spec);
  }
  return { methods: [...methods.values()], problems: [...problems.values()] };
}

interface Reader {
  readonly types: SchemaTypes;
  /** Where the document itself is explained. */
  readonly docs: string;
  problem(path: string, what: string): void;
}

function writtenMethods(value: JsonValue | undefined, problem: Reader["problem"]): readonly Written[] {
  const methods = isObject(value) ? value.methods : undefined;
  if (!isArray(methods)) {
    problem("", "an OpenRPC document is an object with a list of `methods`");
    return [];
  }
  if (methods.length > most.methods) problem("methods", `only the first ${most.methods} methods are read`);
  return methods.slice(0, most.methods).map((value, at) => ({ value, path: `methods[${at}]`, name: "" }));
}

function methodOf({ value, path }: Written, reader: Reader): MethodSpec | undefined {
  const name = isObject(value) ? value.name : undefined;
  if (!isObject(value) || typeof name !== "string" || !/^[\w.$:/-]{1,100}$/.test(name)) {
    reader.problem(path, "a method is an object with a `name` of letters, digits, `_` and `.`");
    return undefined;
  }
  if (value.paramStructure === "by-name") {
    reader.problem(path, `\`${name}\` takes its parameters by name, which is not supported`);
    return undefined;
  }
  const params = paramsOf(value, path, name, reader);
  if (!params) return undefined;
  const result = reader.types.resolved({ value: value.result, path: `${path}.result`, name: `${name}.result` });
  const schema = isObject(result.value) ? result.value.schema : undefined;
  const type = reader.types.refOf([{ value: schema, path: `${result.path}.schema`, name: `${name}.result` }]);
  const errors = errorsOf(value, path, reader);
  const limits = value.deprecated === true ? ["Deprecated."] : [];
  return {
    name,
    summary: sentence(value.summary) || sentence(value.description) || "Described by an OpenRPC document.",
    params,
    result: type,
    ...(errors.length > 0 && { errors }),
    ...(limits.length > 0 && { limits }),
    effect: effectByName(name),
    source: linkIn(value) || reader.docs,
    example: exampleOf(value, params, type, reader),
  };
}

function paramsOf(
  { params }: JsonObject,
  path: string,
  method: string,
  reader: Reader,
): readonly ParamSpec[] | undefined {
  if (params === undefined) return [];
  if (!isArray(params)) {
    reader.problem(`${path}.params`, "parameters are a list");
    return undefined;
  }
  return params.slice(0, most.params).map((value, at): ParamSpec => {
    const written = reader.types.resolved({ value, path: `${path}.params[${at}]`, name: "" });
    const param = isObject(written.value) ? written.value : {};
    const name = label(param.name) || `param${at}`;
    if (!isObject(param.schema)) reader.problem(written.path, "a parameter has a `schema`");
    const schema = { value: param.schema, path: `${written.path}.schema`, name: `${method}.${name}` };
    return {
      name,
      type: reader.types.refOf([schema]),
      required: param.required === true,
      summary: sentence(param.summary ?? param.description),
    };
  });
}

function errorsOf({ errors }: JsonObject, path: string, reader: Reader): readonly MethodErrorSpec[] {
  if (!isArray(errors)) return [];
  return errors.slice(0, most.errors).flatMap((value, at): readonly MethodErrorSpec[] => {
    const { value: error } = reader.types.resolved({ value, path: `${path}.errors[${at}]`, name: "" });
    if (!isObject(error) || typeof error.code !== "number") return [];
    return [{ code: error.code, message: label(error.message, 100), when: "" }];
  });
}

/** The first example of the document that is not too long, else the plainest values of the types. */
function exampleOf(
  { examples }: JsonObject,
  params: readonly ParamSpec[],
  result: TypeRef,
  { types }: Reader,
): MethodSpec["example"] {
  const { value: pairing } = types.resolved({ value: isArray(examples) ? examples[0] : undefined, path: "", name: "" });
  const given = isObject(pairing) && isArray(pairing.params) ? pairing.params : undefined;
  const values = given?.map((value) => valueIn(value, types));
  const answer = isObject(pairing) ? valueIn(pairing.result, types) : undefined;
  const needed = params.filter(({ required }) => required);
  return {
    params: whole(values) ?? needed.map(({ type }) => sampleOf(type)),
    result: whole([answer])?.[0] ?? sampleOf(result),
  };
}

function valueIn(value: JsonValue | undefined, types: SchemaTypes): JsonValue | undefined {
  const { value: example } = types.resolved({ value, path: "", name: "" });
  return isObject(example) ? example.value : undefined;
}

/** Returns all values; `undefined` if one is missing, or if they are too long to insert. */
function whole(values: readonly (JsonValue | undefined)[] | undefined): readonly JsonValue[] | undefined {
  const there = values?.filter((value) => value !== undefined);
  if (!values || !there || there.length < values.length || values.length > most.params) return undefined;
  return printJson(there).length <= most.example ? there : undefined;
}

function linkIn({ externalDocs }: JsonObject): string {
  const url = isObject(externalDocs) ? externalDocs.url : undefined;
  if (typeof url !== "string" || !/^https?:/i.test(url) || !URL.canParse(url)) return "";
  return new URL(url).href;
}
