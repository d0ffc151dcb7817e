import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Variable: isEventOf","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/variables/svc-runtime.isEventOf.md","filePath":"reference/api/variables/svc-runtime.isEventOf.md"}');
const _sfc_main = { name: "reference/api/variables/svc-runtime.isEventOf.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="variable-iseventof" tabindex="-1">Variable: isEventOf <a class="header-anchor" href="#variable-iseventof" aria-label="Permalink to &quot;Variable: isEventOf&quot;">​</a></h1><blockquote><p><code>const</code> <strong>isEventOf</strong>: &lt;<code>T</code>&gt;(<code>event</code>, <code>type</code>) =&gt; <code>event is StoredEvent&lt;T&gt;</code></p></blockquote><p>Whether a stored event is of this class; stored events are plain data, so the name decides.</p><h2 id="type-parameters" tabindex="-1">Type Parameters <a class="header-anchor" href="#type-parameters" aria-label="Permalink to &quot;Type Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Type Parameter</th></tr></thead><tbody><tr><td><a id="__typet"></a> <code>T</code></td></tr></tbody></table><h2 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>event</code></td><td><a href="./../interfaces/svc-runtime.StoredEvent"><code>StoredEvent</code></a></td></tr><tr><td><code>type</code></td><td><code>MessageClass</code>&lt;<code>T</code>&gt;</td></tr></tbody></table><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><code>event is StoredEvent&lt;T&gt;</code></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/variables/svc-runtime.isEventOf.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_isEventOf = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_isEventOf as default
};
