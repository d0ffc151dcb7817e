import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Function: withDatabase()","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/functions/svc-runtime_testing.withDatabase.md","filePath":"reference/api/functions/svc-runtime_testing.withDatabase.md"}');
const _sfc_main = { name: "reference/api/functions/svc-runtime_testing.withDatabase.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="function-withdatabase" tabindex="-1">Function: withDatabase() <a class="header-anchor" href="#function-withdatabase" aria-label="Permalink to &quot;Function: withDatabase()&quot;">​</a></h1><blockquote><p><strong>withDatabase</strong>&lt;<code>T</code>&gt;(<code>body</code>): <code>Promise</code>&lt;<code>T</code>&gt;</p></blockquote><p>Provides a new, empty database of the test server; it is dropped afterwards in any case.</p><h2 id="type-parameters" tabindex="-1">Type Parameters <a class="header-anchor" href="#type-parameters" aria-label="Permalink to &quot;Type Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Type Parameter</th></tr></thead><tbody><tr><td><a id="withdatabaset"></a> <code>T</code></td></tr></tbody></table><h2 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>body</code></td><td>(<code>url</code>) =&gt; <code>Promise</code>&lt;<code>T</code>&gt;</td></tr></tbody></table><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><code>Promise</code>&lt;<code>T</code>&gt;</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/functions/svc-runtime_testing.withDatabase.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_testing_withDatabase = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_testing_withDatabase as default
};
