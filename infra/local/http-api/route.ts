/** Route keys of an HTTP API: parsed once, then matched by API Gateway's order of precedence. Pure. */

export interface RoutePattern {
  readonly routeKey: string;
  /** `ANY` matches every method. */
  readonly method: string;
  /** Path segments; `{name}` is a variable, `{name+}` takes the rest. `undefined` for `$default`. */
  readonly segments: readonly string[] | undefined;
}

export interface RouteMatch<Pattern extends RoutePattern> {
  readonly route: Pattern;
  readonly pathParameters: Readonly<Record<string, string>> | undefined;
}

/** Reads `GET /tasks/{id}`, `ANY /{proxy+}` or `$default`; throws on anything else. */
export function parseRouteKey(routeKey: string): RoutePattern {
  if (routeKey === "$default") return { routeKey, method: "ANY", segments: undefined };
  const match = routeKey.match(/^([A-Z]+) (\/.*)$/);
  if (match?.[1] === undefined || match[2] === undefined)
    throw new Error(`route key "${routeKey}" is neither "METHOD /path" nor "$default"`);
  return { routeKey, method: match[1], segments: segmentsOf(match[2]) };
}

/** The route that API Gateway would choose: the most literal path first, then greedy ones, then `$default`. */
export function matchRoute<Pattern extends RoutePattern>(
  routes: readonly Pattern[],
  method: string,
  path: string,
): RouteMatch<Pattern> | undefined {
  const segments = segmentsOf(path);
  const candidates = routes.flatMap((route) => {
    if (route.method !== "ANY" && route.method !== method) return [];
    const parameters = bind(route.segments, segments);
    return parameters === undefined ? [] : [{ route, parameters }];
  });
  candidates.sort((left, right) => rank(left.route).localeCompare(rank(right.route)));
  const [best] = candidates;
  if (best === undefined) return undefined;
  const named = Object.keys(best.parameters).length > 0;
  return { route: best.route, pathParameters: named ? best.parameters : undefined };
}

function segmentsOf(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "");
}

function bind(
  pattern: readonly string[] | undefined,
  segments: readonly string[],
): Record<string, string> | undefined {
  const parameters: Record<string, string> = {};
  if (pattern === undefined) return parameters;
  for (const [index, part] of pattern.entries()) {
    const greedy = part.match(/^\{(.+)\+\}$/)?.[1];
    if (greedy !== undefined) {
      if (index >= segments.length) return undefined;
      parameters[greedy] = segments.slice(index).map(decodeURIComponent).join("/");
      return parameters;
    }
    const segment = segments[index];
    if (segment === undefined) return undefined;
    const variable = part.match(/^\{(.+)\}$/)?.[1];
    if (variable !== undefined) parameters[variable] = decodeURIComponent(segment);
    else if (part !== segment) return undefined;
  }
  return pattern.length === segments.length ? parameters : undefined;
}

/** Sorts better routes first: per segment literal, then variable, then greedy; a named method before `ANY`. */
function rank(route: RoutePattern): string {
  if (route.segments === undefined) return "z";
  const parts = route.segments.map((part) => (part.endsWith("+}") ? "c" : part.startsWith("{") ? "b" : "a"));
  return `${parts.join("")}${route.method === "ANY" ? "1" : "0"}`;
}
