import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Compiled lifecycle table","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/compiled-lifecycle-table.md","filePath":"decisions/compiled-lifecycle-table.md"}');
const _sfc_main = { name: "decisions/compiled-lifecycle-table.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="compiled-lifecycle-table" tabindex="-1">Compiled lifecycle table <a class="header-anchor" href="#compiled-lifecycle-table" aria-label="Permalink to &quot;Compiled lifecycle table&quot;">​</a></h1><p>Every request runs through a statechart: check, map, before-hook, dispatch, after-hook or error-hook, done or failed. It should be an XState machine, because then the page, the inspector and the documentation draw what really runs.</p><p>Interpreting the machine for each request is too expensive:</p><table tabindex="0"><thead><tr><th>one lifecycle per request as</th><th>CPU µs</th><th>heap per request</th></tr></thead><tbody><tr><td>plain async function</td><td>0.3</td><td>0.7 KB</td></tr><tr><td><code>createMachine</code> or <code>provide()</code> inside the request</td><td>370–1,055</td><td>43–134 KB</td></tr><tr><td>machine made once, three <code>fromPromise</code> children</td><td>170–440</td><td>94 KB</td></tr><tr><td>machine made once, outcomes sent in as events</td><td>33–55</td><td>39 KB</td></tr><tr><td><strong>the machine&#39;s transition table, derived once at start, as the logic of a real root actor</strong></td><td><strong>1.1–2.1</strong></td><td>small</td></tr><tr><td>the same behind a subclass that reaches into XState&#39;s private members</td><td>0.3</td><td>0.7 KB</td></tr></tbody></table><p>A bare Fastify POST costs 25–38 µs here, so the textbook way costs ten requests per request.</p><p><strong>Chosen:</strong> the statechart stays the only source. At start its transition table is derived; the derivation throws when the machine says more than the table can hold. Each request is a root actor made by <code>createActor</code>, with public API only; a thin driver runs the effect of each state and sends its outcome. A request that is inspected or sampled runs the real machine in the same driver.</p><p><strong>Proof:</strong> a test walks every state and event of both; 288 combinations of hooks and outcomes were compared with XState&#39;s own interpreter: no difference.</p><p><strong>Price:</strong> the lifecycle may use only what the table can say (flat states, guards, no <code>after</code>). Delayed events are forbidden in request actors for a second reason: in a shared system each actor that stops walks all scheduled events, 1,700 µs with 10,000 of them pending.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/compiled-lifecycle-table.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const compiledLifecycleTable = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  compiledLifecycleTable as default
};
