import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Function: int()","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/functions/svc-runtime.codec.int.md","filePath":"reference/api/functions/svc-runtime.codec.int.md"}');
const _sfc_main = { name: "reference/api/functions/svc-runtime.codec.int.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="function-int" tabindex="-1">Function: int() <a class="header-anchor" href="#function-int" aria-label="Permalink to &quot;Function: int()&quot;">​</a></h1><blockquote><p><strong>int</strong>(<code>value</code>, <code>path</code>, <code>faults</code>, <code>limits?</code>): <a href="./../types/svc-runtime.Int"><code>Int</code></a></p></blockquote><h2 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>value</code></td><td><code>unknown</code></td></tr><tr><td><code>path</code></td><td><code>string</code></td></tr><tr><td><code>faults</code></td><td><a href="./../interfaces/svc-runtime.codec.Fault"><code>Fault</code></a>[]</td></tr><tr><td><code>limits?</code></td><td><a href="./../interfaces/svc-runtime.codec.NumberLimits"><code>NumberLimits</code></a></td></tr></tbody></table><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><a href="./../types/svc-runtime.Int"><code>Int</code></a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/functions/svc-runtime.codec.int.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_codec_int = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_codec_int as default
};
