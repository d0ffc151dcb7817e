import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Type Alias: Addition","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/types/svc-runtime.Addition.md","filePath":"reference/api/types/svc-runtime.Addition.md"}');
const _sfc_main = { name: "reference/api/types/svc-runtime.Addition.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="type-alias-addition" tabindex="-1">Type Alias: Addition <a class="header-anchor" href="#type-alias-addition" aria-label="Permalink to &quot;Type Alias: Addition&quot;">​</a></h1><blockquote><p><strong>Addition</strong> = (<code>parts</code>) =&gt; <code>void</code></p></blockquote><p>Adds something to a service: <code>service.with(addition)</code>.</p><h2 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>parts</code></td><td><code>ServiceParts</code></td></tr></tbody></table><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><code>void</code></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/types/svc-runtime.Addition.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_Addition = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_Addition as default
};
