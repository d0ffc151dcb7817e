import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Variable: Sensitive","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/variables/svc-runtime.Sensitive.md","filePath":"reference/api/variables/svc-runtime.Sensitive.md"}');
const _sfc_main = { name: "reference/api/variables/svc-runtime.Sensitive.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="variable-sensitive" tabindex="-1">Variable: Sensitive <a class="header-anchor" href="#variable-sensitive" aria-label="Permalink to &quot;Variable: Sensitive&quot;">​</a></h1><blockquote><p><code>const</code> <strong>Sensitive</strong>: (<code>_options?</code>) =&gt; (<code>_value</code>, <code>_field</code>) =&gt; <code>void</code></p></blockquote><p>Marks a field that audits store as <code>&quot;[redacted]&quot;</code>. With a subject, events and messages hold the value encrypted. The generator reads the mark; it has no effect at run time.</p><h2 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>_options?</code></td><td><code>SensitiveOptions</code></td></tr></tbody></table><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p>(<code>_value</code>, <code>_field</code>) =&gt; <code>void</code></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/variables/svc-runtime.Sensitive.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_Sensitive = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_Sensitive as default
};
