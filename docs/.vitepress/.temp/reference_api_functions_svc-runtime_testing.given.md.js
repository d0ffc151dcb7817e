import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Function: given()","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/functions/svc-runtime_testing.given.md","filePath":"reference/api/functions/svc-runtime_testing.given.md"}');
const _sfc_main = { name: "reference/api/functions/svc-runtime_testing.given.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="function-given" tabindex="-1">Function: given() <a class="header-anchor" href="#function-given" aria-label="Permalink to &quot;Function: given()&quot;">​</a></h1><blockquote><p><strong>given</strong>&lt;<code>TCommand</code>, <code>TResult</code>&gt;(<code>receptor</code>, ...<code>past</code>): <a href="./../interfaces/svc-runtime_testing.Given"><code>Given</code></a>&lt;<code>TCommand</code>, <code>TResult</code>&gt;</p></blockquote><p>Tests a receptor without a server: <code>given(receptor, [orderId, created]).when(command).then(cancelled)</code>.</p><h2 id="type-parameters" tabindex="-1">Type Parameters <a class="header-anchor" href="#type-parameters" aria-label="Permalink to &quot;Type Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Type Parameter</th></tr></thead><tbody><tr><td><a id="giventcommand"></a> <code>TCommand</code> <em>extends</em> <a href="./../classes/svc-runtime.Command"><code>Command</code></a></td></tr><tr><td><a id="giventresult"></a> <code>TResult</code></td></tr></tbody></table><h2 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>receptor</code></td><td><a href="./../interfaces/svc-runtime.Receptor"><code>Receptor</code></a>&lt;<code>TCommand</code>, <code>TResult</code>&gt;</td></tr><tr><td>...<code>past</code></td><td>readonly <a href="./../types/svc-runtime_testing.PastStream"><code>PastStream</code></a>[]</td></tr></tbody></table><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><a href="./../interfaces/svc-runtime_testing.Given"><code>Given</code></a>&lt;<code>TCommand</code>, <code>TResult</code>&gt;</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/functions/svc-runtime_testing.given.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_testing_given = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_testing_given as default
};
